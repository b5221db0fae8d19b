/** Skills on both surfaces: `svc skills` and `svc serve`, both in this process, over one home and one registry. */
import { runCliHere } from '../cli/cli-here.ts'
import { type CliEnded, type RunningCli, startCli } from '../cli/run-cli.ts'
import { startServeHere } from '../cli/serve.ts'
import { type Answer, call } from '../http/http-client.ts'

export interface SurfaceOptions {
  home: string
  registry: string
  env?: NodeJS.ProcessEnv
}

export interface Surfaces {
  env: NodeJS.ProcessEnv
  url: string
  cli(args: readonly string[]): Promise<CliEnded>
  start(args: readonly string[]): RunningCli
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  close(): Promise<void>
}

/** No debug bridge but the devices that a test names. */
export const noBridge = (home: string): NodeJS.ProcessEnv => ({
  HOME: home,
  PATH: process.env.PATH,
  ADB_PATH: '/no/adb',
  ADB_SERVER_SOCKET: `localfilesystem:${home}/no-adb-server`,
  SVC_NO_DAEMON: '1',
})

export const startSurfaces = async ({ home, registry, env: more }: SurfaceOptions): Promise<Surfaces> => {
  const env = { ...noBridge(home), SVC_SKILLS_REGISTRY: registry, ...more }
  const options = { env, cwd: home }
  const { url, end } = await startServeHere(options)
  return {
    env,
    url,
    cli: args => runCliHere(args, options),
    start: args => startCli(args, options),
    get: path => call(`${url}${path}`),
    post: (path, body) => call(`${url}${path}`, { body }),
    close: async () => void (await end()),
  }
}

export interface RunAsked {
  skillId: string
  args?: readonly string[]
  deviceId?: string
  timeoutMs?: number
  expectContains?: string
}

export interface RanTwice {
  cli: { code: number | null; outcome: Record<string, unknown> }
  http: { status: number; body: Record<string, unknown> }
}

const cliArguments = ({ skillId, args = [], deviceId, timeoutMs, expectContains }: RunAsked): string[] => [
  ...['skills', 'run', skillId],
  ...(deviceId === undefined ? [] : ['--device', deviceId]),
  ...(timeoutMs === undefined ? [] : ['--timeout', String(timeoutMs)]),
  ...(expectContains === undefined ? [] : ['--expect-contains', expectContains]),
  '--',
  ...args,
]

const runByCli = async (surfaces: Surfaces, asked: RunAsked): Promise<RanTwice['cli']> => {
  const ended = await surfaces.cli(cliArguments(asked))
  return { code: ended.code, outcome: ended.json() }
}

const runOverHttp = async (surfaces: Surfaces, { skillId, ...body }: RunAsked): Promise<RanTwice['http']> => {
  const answer = await surfaces.post(`/skills/${skillId}/run`, body)
  return { status: answer.status, body: answer.json as Record<string, unknown> }
}

/** The same run through both, one after the other: they may want the same device. */
export const runTwice = async (surfaces: Surfaces, asked: RunAsked): Promise<RanTwice> => ({
  cli: await runByCli(surfaces, asked),
  http: await runOverHttp(surfaces, asked),
})

/** The same run through both at the same time. */
export const runTwiceAtOnce = async (surfaces: Surfaces, asked: RunAsked): Promise<RanTwice> => {
  const [cli, http] = await Promise.all([runByCli(surfaces, asked), runOverHttp(surfaces, asked)])
  return { cli, http }
}

const timeless = (value: Record<string, unknown>) =>
  'durationMs' in value ? { ...value, durationMs: 0 } : { ...value }

/** What POST answers, said as the CLI says it: the contract's table of the two. */
export const asOutcome = (body: Record<string, unknown>): Record<string, unknown> => {
  const { ok, error, ...rest } = body
  if (ok === false) return { status: 'failed', ...(error as object) }
  return timeless(ok === true ? { status: 'success', ...rest } : rest)
}

export const timelessOutcome = timeless
