/** Writes the argument of a program that is evaluated in a page. */

/** JSON is code of the language but for two line ends, which older engines take for such. */
export const asLiteral = (value: unknown): string =>
  JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
