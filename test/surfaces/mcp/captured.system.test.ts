/** Calls of an MCP client to builds of svc, sent to today's server: it answers all that the client was answered then. */
import { describe, expect, test } from 'vitest'
import { startCli } from '../../support/cli/run-cli.ts'
import { startLab } from '../../support/executions/lab.ts'
import { missingParts } from '../../support/http/missing-parts.ts'
import { perTest } from '../../support/per-test.ts'
import { captured, capturesOf } from '../../support/runtime/captured.ts'
import { until } from '../../support/until.ts'

interface Message {
  id?: number
  method?: string
  params?: { name?: string }
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it expects
  result?: any
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it expects
  error?: any
}
interface Captured {
  messages: { from: 'client' | 'server'; message: Message }[]
}

const labOf = perTest(startLab)
const builds = capturesOf('mcp')
test('there are captures', () => expect(builds.length).toBeGreaterThan(0))

/** What it was answered, by the id of the request. */
const answersTo = async (requests: readonly Message[]): Promise<Map<number, Message>> => {
  const lab = await labOf()
  const serials = lab.fleet.devices.map(({ serial }) => serial).join(',')
  const { child, ended, stdout } = startCli(['mcp'], { env: { HOME: lab.home, SVC_TCP_DEVICES: serials } })
  const answers = new Map<number, Message>()
  for (const request of requests) {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { id } = request
    if (id === undefined) continue
    await until(() => {
      const lines = stdout().split('\n').slice(0, -1)
      const found = lines.map(line => JSON.parse(line) as Message).find(message => message.id === id)
      if (found) answers.set(id, found)
      return found !== undefined
    }, `the answer to ${request.method}`)
  }
  child.stdin.end()
  await ended
  return answers
}

/** The arguments of each tool of a list. */
const toolsOf = (message: Message | undefined): Map<string, string[]> => {
  const tools: { name: string; inputSchema: { properties: object } }[] = message?.result?.tools ?? []
  return new Map(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)]))
}

describe.each(builds)('a client of %s', build => {
  test('is answered all that it was answered then', async () => {
    const { messages } = captured<Captured>(build, 'mcp')
    const requests = messages.filter(({ from }) => from === 'client').map(({ message }) => message)
    const today = await answersTo(requests)
    for (const { id, method, params } of requests) {
      if (id === undefined) continue
      const earlier = messages.find(({ from, message }) => from === 'server' && message.id === id)?.message
      const answer = today.get(id)
      const what = `${method} ${params?.name ?? ''}`
      if (method === 'tools/list') {
        const tools = toolsOf(answer)
        for (const [name, properties] of toolsOf(earlier)) {
          expect(tools.get(name), name).toEqual(expect.arrayContaining(properties))
        }
        continue
      }
      expect(missingParts(earlier, answer), what).toEqual([])
      expect(answer?.result?.isError, what).toBe(earlier?.result?.isError)
      expect(answer?.error?.code, what).toBe(earlier?.error?.code)
      const codeOf = (message: Message | undefined) => message?.result?.structuredContent?.error?.code
      expect(codeOf(answer), what).toBe(codeOf(earlier))
    }
  })
})
