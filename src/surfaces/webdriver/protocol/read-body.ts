/** Reads the body of a command: one JSON object. What only JSON Wire has, the protocol before W3C, is refused by its name. */
import { isObject } from '../../../contracts/json/json.ts'
import { WebDriverError } from './webdriver-error.ts'
import { WEBDRIVER_BODIES_BYTES, WEBDRIVER_BODY_BYTES, type WireRequest } from './wire.ts'

/** What clients send is some levels deep. Beyond the stack of the engine, an answer with it could not be written. */
const NESTING_MAX = 100

/** The place behind a text that begins there. */
const endOfText = (json: string, from: number): number => {
  for (let at = from + 1; ; ) {
    const quote = json.indexOf('"', at)
    if (quote < 0) return json.length
    let slashes = 0
    while (json[quote - 1 - slashes] === '\\') slashes += 1
    at = quote + 1
    if (slashes % 2 === 0) return at
  }
}

/** Brackets within texts do not count. */
const isTooDeep = (json: string): boolean => {
  const marks = /["[\]{}]/g
  let depth = 0
  for (let found = marks.exec(json); found; found = marks.exec(json)) {
    const [mark] = found
    if (mark === '"') marks.lastIndex = endOfText(json, found.index)
    else depth += mark === '[' || mark === '{' ? 1 : -1
    if (depth > NESTING_MAX) return true
  }
  return false
}

const invalid = (message: string) => new WebDriverError('invalid argument', message)

/** A missing body counts as an empty object, as Appium has it. */
export const readObject = async (
  request: Pick<WireRequest, 'readBody'>,
): Promise<Readonly<Record<string, unknown>>> => {
  const body = await request.readBody()
  if (body.kind === 'too-large') throw invalid(`The body is larger than ${WEBDRIVER_BODY_BYTES} bytes.`)
  if (body.kind === 'no-room')
    throw new WebDriverError(
      'unknown error',
      `The server is busy: the bodies of all requests together may have ${WEBDRIVER_BODIES_BYTES} bytes, and others take them. Send the request again when some of them are answered.`,
      { dispatched: false },
    )
  if (body.kind === 'broken') throw invalid(body.problem)
  if (body.text.trim() === '') return {}
  if (isTooDeep(body.text)) throw invalid(`The body is nested more than ${NESTING_MAX} levels deep.`)
  let read: unknown
  try {
    read = JSON.parse(body.text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${(error as Error).message}.`)
  }
  if (isObject(read) && !Array.isArray(read)) return read
  throw invalid('The body must be a JSON object.')
}

/** `desiredCapabilities` beside `capabilities` is what clients of both protocols send. */
export const refuseWireCapabilities = (body: Readonly<Record<string, unknown>>): void => {
  if (body.capabilities === undefined && body.desiredCapabilities !== undefined)
    throw invalid(
      'The body has desiredCapabilities alone, which is of JSON Wire. Send capabilities, as W3C WebDriver has them: {"capabilities": {"alwaysMatch": {...}}}.',
    )
}
