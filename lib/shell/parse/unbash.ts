/**
 * The shell parser; no other file names it. Its trees become plain data at once (`parse_with_parser.ts`), since their `parts` are
 * parsed anew at every access.
 */
export { parse } from "unbash";
export type {
  ArithmeticExpression,
  ArrayValue,
  Assignment as AssignmentSyntax,
  Command as CommandSyntax,
  CommandArgument,
  CommandExpansionPart,
  CompoundList,
  HereDoc,
  ParameterExpansionPart,
  ParsedScript,
  ParseError,
  ProcessSubstitutionPart,
  Redirection as RedirectionSyntax,
  Script as ScriptSyntax,
  Statement,
  SyntaxNode,
  TestExpression,
  Word as WordSyntax,
  WordPart,
} from "unbash";
export { forEachChild } from "unbash";
