/** `daemon start|stop|status|restart` and one proxied command, as the CLI has them, without devices: in any process. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DaemonAsk } from '../../../machines/daemon/daemon-setup.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import type { ProxyCommand } from '../../../src/surfaces/daemon/client/command.ts'
import { type ProxyResult, proxyCommand } from '../../../src/surfaces/daemon/client/proxy.ts'
import { buildIdentityOf, environmentOf } from '../../../src/surfaces/daemon/identity.ts'
import { type DaemonRequestResult, manageDaemon } from '../../../src/surfaces/daemon/manage/manage.ts'

export interface DaemonCommandsOptions {
  env: NodeJS.ProcessEnv
  /** The program that is a daemon when it is told so. */
  entry: string
  note: (text: string) => void
  signal: AbortSignal
}

export const daemonArguments = (args: readonly string[]) => {
  const options = { device: { type: 'string' }, 'operator-package': { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  return { positionals, device: values.device, operatorPackage: values['operator-package'] }
}

export const daemonCommands = ({ env, entry, note, signal }: DaemonCommandsOptions) => {
  const home = env.SVC_HOME ?? ''
  const clock = systemClock()
  const ids = systemIds()
  /** A file that stands for the build; another file, another build. */
  const version = { version: '1.2.3', buildIdentity: buildIdentityOf(env.TEST_BUILD ?? entry) }
  let opened: Journal | undefined
  const journal = () => {
    opened ??= openJournal({ path: join(home, 'journal', 'journal.db'), alive: isAlive, clock })
    return opened
  }
  const daemons = { home, clock, ids, journal, note, program: { path: process.execPath, args: [entry], env } }
  return {
    home,
    clock,
    ids,
    version,
    journal,
    close: () => opened?.close(),
    manage: (
      ask: DaemonAsk,
      device: string | undefined,
      operatorPackage: string | undefined,
    ): Promise<DaemonRequestResult> => manageDaemon({ ask, device, operatorPackage, signal }, daemons),
    call: (command: ProxyCommand): Promise<ProxyResult> =>
      proxyCommand(command, {
        home,
        isDisabled: env.SVC_NO_DAEMON === '1',
        platform: process.platform,
        version,
        environment: environmentOf(env),
        clock,
        signal,
        start: async reason => {
          const asked = {
            ask: reason,
            device: command.device,
            operatorPackage: command.operatorPackage,
            isLocked: true,
          }
          const managed = await manageDaemon(asked, daemons)
          return managed.ok ? undefined : managed.error.message
        },
      }),
  }
}
