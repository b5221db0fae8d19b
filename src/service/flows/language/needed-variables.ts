/** The variables that a flow needs of its caller: those it writes as `${NAME}` and does not set itself. */
import type { Command, Flow } from './command.ts'

const VARIABLE = /(?<!\\)\$\{\s*([A-Za-z_]\w*)\s*\}/g
/** Names that are there in every flow. */
const BUILT_IN = /^(?:output|maestro|http|faker|MAESTRO_\w+|undefined|null|true|false)$/

const setBy = ({ params }: Command): string[] =>
  Object.values(params).flatMap(param => {
    if (param.kind === 'env') return Object.keys(param.values)
    return param.kind === 'commands' ? param.commands.flatMap(setBy) : []
  })

/** The texts are those of all files of the flows. */
export const neededVariables = (flows: readonly Flow[], texts: readonly string[]): string[] => {
  const known = new Set(
    flows.flatMap(({ config, commands }) => [
      ...Object.keys(config.env),
      ...[...config.onFlowStart, ...commands, ...config.onFlowComplete].flatMap(setBy),
    ]),
  )
  const written = texts.flatMap(text => [...text.matchAll(VARIABLE)].map(([, name = '']) => name))
  return [...new Set(written)].filter(name => !known.has(name) && !BUILT_IN.test(name)).sort()
}
