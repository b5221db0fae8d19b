/** `svc serve` as a person starts it, on a free port. */
import { type CliOptions, type RunningCli, startCli } from './run-cli.ts'
import { until } from './until.ts'

export interface Serving {
  running: RunningCli
  url: string
  end(): Promise<void>
}

export interface ServeOptions extends CliOptions {
  /** More flags. */
  args?: readonly string[]
  /** By when it listens; 15 s unless told. */
  startMs?: number
}

/** Resolves when it says where it listens. */
export const startServe = async ({ args = [], startMs, ...options }: ServeOptions = {}): Promise<Serving> => {
  const running = startCli(['serve', '--port', '0', ...args], options)
  const listens = () => /listens on (\S+)\n/.exec(running.stderr())
  await until(() => listens() !== null || running.child.exitCode !== null, 'the server to listen', startMs)
  const [, url = ''] = listens() ?? []
  return {
    running,
    url,
    async end() {
      running.child.kill('SIGTERM')
      await running.ended
    },
  }
}
