/** What a model is sent. */
export interface ModelQuestion {
  /** The system prompt. */
  readonly system: string;
  /** The user's message: environment and call as data. */
  readonly user: string;
}

/** What came of asking a model. */
export type ModelReply =
  | {
    readonly kind: "completion";
    /** The body of the server's answer, as JSON has it; nothing of it is checked yet. */
    readonly completion: unknown;
  }
  | {
    readonly kind: "fallback";
    /** Why there is no answer, in one sentence without a final full stop. */
    readonly reason: string;
    /** Set when the runtime refused the network for want of a permission flag. */
    readonly fault?: "missing-flag";
  };

/** A model that can be asked. */
export interface Classifier {
  /** Asks once. Whatever fails is a `fallback`; never rejects. */
  ask(question: ModelQuestion, options: { readonly signal: AbortSignal }): Promise<ModelReply>;
}
