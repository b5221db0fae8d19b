/** WebDriver on a real port, before simulated phones with an app that has a form and a list. */
import { readFileSync } from 'node:fs'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { type Lab, type LabOptions, startLab } from '../executions/lab.ts'
import { fromRoot } from '../root.ts'

const SCENARIO = fromRoot('test/fixtures/webdriver/app.scenario.json')

export const VAULT = 'com.example.vault'

export const vaultScenario = () => {
  const parsed = parseScenario(JSON.parse(readFileSync(SCENARIO, 'utf8')))
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}

export interface WireReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it expects
  value: any
  headers: Headers
}

/** `path` begins with a slash; an object is sent as JSON. */
export const askWire = async (
  url: string,
  method: string,
  path: string,
  body?: object | string,
): Promise<WireReply> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json; charset=utf-8' },
        }),
  })
  const read = (await answer.json()) as { value: unknown }
  return { status: answer.status, value: read.value, headers: answer.headers }
}

export interface TestSession {
  id: string
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it expects
  capabilities: any
  get(path: string): Promise<WireReply>
  post(path: string, body?: object): Promise<WireReply>
  /** The id of the first element; the test fails where there is none. */
  find(using: string, value: string): Promise<string>
  end(): Promise<WireReply>
}

export interface WireClient {
  ask(method: string, path: string, body?: object | string): Promise<WireReply>
  create(capabilities?: object): Promise<WireReply>
  /** The test fails where there is no session. */
  session(capabilities?: object): Promise<TestSession>
}

export interface WebDriverLab extends WireClient {
  lab: Lab
  url: string
  serials: string[]
  /** Ends the server alone; `close` ends everything. */
  endServer(): Promise<void>
  close(): Promise<void>
}

const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

export const elementIdIn = ({ value }: WireReply): string => {
  const id = value?.[ELEMENT_KEY]
  if (typeof id !== 'string') throw new Error(`no element: ${JSON.stringify(value)}`)
  return id
}

export const wireClient = (url: string): WireClient => {
  const ask: WireClient['ask'] = (method, path, body) => askWire(url, method, path, body)
  const create: WireClient['create'] = (capabilities = {}) =>
    ask('POST', '/session', { capabilities: { alwaysMatch: { platformName: 'Android', ...capabilities } } })
  return {
    ask,
    create,
    async session(capabilities) {
      const created = await create(capabilities)
      if (created.status !== 200) throw new Error(JSON.stringify(created.value))
      const id = created.value.sessionId
      const path = `/session/${id}`
      return {
        id,
        path,
        capabilities: created.value.capabilities,
        get: below => ask('GET', `${path}${below}`),
        post: (below, body = {}) => ask('POST', `${path}${below}`, body),
        find: async (using, value) => elementIdIn(await ask('POST', `${path}/element`, { using, value })),
        end: () => ask('DELETE', path),
      }
    },
  }
}

export const startWebDriverLab = async ({
  webDriver = 'alone',
  ...options
}: LabOptions & { webDriver?: 'alone' | 'beside' } = {}): Promise<WebDriverLab> => {
  const lab = await startLab({ scenario: vaultScenario(), ...options })
  const where = { host: '127.0.0.1', port: 0, allowOrigins: [], version: '1.2.3', entryPath: undefined }
  const started = await lab.services.serve({ ...where, webDriver })
  if (!started.ok) throw new Error(started.error.message)
  const { server } = started
  const { url } = server
  return {
    lab,
    url,
    serials: lab.fleet.devices.map(({ serial }) => serial),
    ...wireClient(url),
    async endServer() {
      const closed = server.close({ graceMs: 5_000 })
      await lab.services.endExecutions()
      await closed
    },
    async close() {
      await server.close({ graceMs: 0 })
      await lab.close()
    },
  }
}
