/** `--output`, `--json` and SVC_OUTPUT: how a result is printed. */
import { skillRunIn } from '../../../contracts/records/ids.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { type Command, type Environment, type Given, type OutputFormat, usage } from '../command.ts'

const FORMATS: readonly OutputFormat[] = ['json', 'pretty', 'text']

const formatIn = (text: string | undefined): OutputFormat | undefined => FORMATS.find(format => format === text)

export const isOutputFormat = (text: string | undefined): boolean => formatIn(text) !== undefined

/** The script of a skill reads JSON, whatever its caller prefers. */
const inherited = (env: Environment): string | undefined =>
  skillRunIn(env) === undefined && env.SVC_OUTPUT?.trim() ? env.SVC_OUTPUT.trim() : undefined

export const outputFormat = ({ isOn, text }: Given, env: Environment): OutputFormat =>
  isOn('json') ? 'json' : (formatIn(text('output')) ?? formatIn(inherited(env)) ?? 'json')

const refuse = (name: string, wrong: string) => {
  throw usage(`${name} must be json, pretty or text; got "${wrong}".${didYouMean(wrong, FORMATS)}`)
}

export const refuseOutput = (call: Given, env: Environment, { writesOutput, text }: Command): void => {
  const wrong = writesOutput ? undefined : call.all('output').find(each => !isOutputFormat(each))
  if (wrong !== undefined) refuse('--output', wrong)
  const preferred = inherited(env)
  const isDecided = call.isOn('json') || isOutputFormat(call.text('output')) || text === 'unchanged'
  if (!isDecided && preferred !== undefined && !isOutputFormat(preferred)) refuse('SVC_OUTPUT', preferred)
}
