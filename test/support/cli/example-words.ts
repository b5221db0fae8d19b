/** The words of a call of `svc` in an example, as a shell would make them: up to a pipe, a redirection or a `&`, and without variables before it. */
export const wordsOfExample = (example: string): string[] => {
  const inner = /<\((.*)\)$/.exec(example)?.[1] ?? example
  const words = inner.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []
  const end = words.findIndex(word => ['|', '||', '&', '<', '>'].includes(word))
  const call = (end < 0 ? words : words.slice(0, end)).map(word => word.replace(/^(['"])(.*)\1$/, '$2'))
  return call.slice(call.indexOf('svc') + 1)
}
