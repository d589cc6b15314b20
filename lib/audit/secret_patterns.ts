/** One kind of secret with a format of its own. */
export interface SecretPattern {
  readonly name: string;
  /** Matches it; global, and linear in the length of the text. */
  readonly pattern: RegExp;
}

/** Secrets with a documented format. Other secrets are recognized by the name before them. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: "private key",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { name: "AWS access key", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b/g },
  { name: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})/g },
  { name: "GitLab token", pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[\w.-]{16,}/g },
  { name: "Slack token", pattern: /\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}/g },
  {
    name: "Slack webhook",
    pattern: /(?<=hooks\.slack\.com\/)(?:services|workflows)\/[\w/+-]{10,}/g,
  },
  { name: "model API key", pattern: /\bsk-[\w-]{16,}|\b(?:gsk|r8|xai|pplx)[_-][A-Za-z0-9]{20,}/g },
  { name: "Google API key", pattern: /\bAIza[\w-]{30,}|\bya29\.[\w-]{10,}|\bGOCSPX-[\w-]{20,}/g },
  { name: "Stripe key", pattern: /\b[spr]k_(?:live|test)_\w{10,}|\bwhsec_\w{10,}/g },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { name: "PyPI token", pattern: /\bpypi-[\w-]{40,}/g },
  { name: "crates.io token", pattern: /\bcio[A-Za-z0-9]{32}\b/g },
  { name: "Docker token", pattern: /\bdckr_(?:pat|oat)_[\w-]{16,}/g },
  { name: "Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{20,}/g },
  { name: "SendGrid key", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { name: "Twilio key", pattern: /\bSK[0-9a-f]{32}\b/g },
  { name: "DigitalOcean token", pattern: /\bdo[opr]_v1_[0-9a-f]{40,}/g },
  { name: "Vault token", pattern: /\bhv[sbr]\.[\w-]{20,}/g },
  { name: "Shopify token", pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g },
  { name: "Atlassian token", pattern: /\bAT(?:ATT|BB|CTT)[A-Za-z0-9_=-]{20,}/g },
  { name: "Databricks token", pattern: /\bdapi[0-9a-f]{32}/g },
  { name: "Linear, Notion, Supabase key", pattern: /\b(?:lin_api_|ntn_|secret_|sbp_)\w{30,}/g },
  { name: "Telegram token", pattern: /\b\d{8,10}:[\w-]{35}/g },
  { name: "age key", pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/gi },
  { name: "JSON Web Token", pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/g },
  { name: "bearer token", pattern: /(?<=\bbearer +)[\w.~+/=-]{8,}/gi },
  { name: "basic credentials", pattern: /(?<=\bbasic +)(?=[A-Za-z+/]*[0-9=])[\w+/=-]{8,}/gi },
  { name: "key of a URL", pattern: /(?<=[?&]key=)[^\s&#"'<>;|]{8,}/g },
  { name: "user of a URL", pattern: /(?<=:\/\/)(?!git@)[^\s/?#'"<>]+(?=@)/g },
];
