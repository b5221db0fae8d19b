/** The tool that reads the log of a device: its last lines, as many as a model can take. */
import type { PlacedLogLine } from '../../../contracts/device/logs.ts'
import { MCP_LOGS } from '../../../contracts/limits/mcp-limits.ts'
import { done, failed } from '../answers.ts'
import { deviceToLookAt } from '../perform.ts'
import { LOOKS, type Tool, tool } from '../tool.ts'

const TIME = ['yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss.mmm'.length] as const

const textOf = ({ time, level, tag, message }: PlacedLogLine): string => {
  const rest = message.length - MCP_LOGS.messageChars
  const cut = rest > 0 ? `${message.slice(0, MCP_LOGS.messageChars)} [${rest} more characters]` : message
  return `${time.slice(...TIME)} ${(level[0] ?? '').toUpperCase()} ${tag}: ${cut}`
}

/** The last ones that fit. */
const fitting = (lines: readonly string[]): readonly string[] => {
  let chars = 0
  const first = lines.findLastIndex(line => {
    chars += line.length + 1
    return chars > MCP_LOGS.chars
  })
  return lines.slice(first + 1)
}

const logs = tool({
  name: 'logs',
  description: 'The last log lines of a device.',
  annotations: LOOKS,
  async run({ app, level, since, limit = MCP_LOGS.lines.default, device }, { deps, signal }) {
    const { service } = deps
    const call = { context: { caller: 'mcp' }, signal } as const
    const chosen = await deviceToLookAt(device, deps, call)
    if (!chosen.ok) return failed(chosen.error, { dispatched: false })
    const choice = Object.fromEntries(
      Object.entries({ app, level, since }).filter(([, option]) => option !== undefined),
    )
    const read = await service['logs.read']({ deviceId: chosen.value, ...choice, limit }, call)
    if (!read.ok) return failed(read.error, { dispatched: false })
    const texts = read.value.lines.map(textOf)
    const fittingTexts = fitting(texts)
    const more = read.value.more || fittingTexts.length < texts.length
    const heading = more ? ['Earlier lines are left out: narrow app, level or since.'] : []
    return done([...heading, ...fittingTexts].join('\n') || 'none', { count: fittingTexts.length, more })
  },
})

export const LOG_TOOLS: readonly Tool[] = [logs]
