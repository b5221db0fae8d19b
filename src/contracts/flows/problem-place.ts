/** The place of a problem of a flow, before its message. */

interface PlacedProblem {
  readonly file?: unknown
  readonly line?: unknown
  readonly column?: unknown
  readonly message: string
}

/** `login.yaml:4:3: `, or nothing where the message names the file. */
export const placePrefix = ({ file, line, column, message }: PlacedProblem): string => {
  const place = [file, line, column].filter(part => part !== undefined && part !== '').join(':')
  return place === '' || (line === undefined && message.includes(place)) ? '' : `${place}: `
}
