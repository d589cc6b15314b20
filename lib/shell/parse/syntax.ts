/**
 * The one file that names the parser. Everything else sees its trees through these types, and turns them into plain data
 * at once (`parse_line.ts`): their `parts` are read lazily, each time from the text.
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
