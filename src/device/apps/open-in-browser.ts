/** open_uri with `browser`: in Chrome or Firefox where one is installed, else in whatever opens the URI. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { Link } from '../link/link.ts'
import { deviceShell, type ShellOptions } from '../operators/shell/device-shell.ts'
import { opensUri, startActivity } from '../operators/shell/start-activity.ts'
import { StepFailure } from '../screen/step-failure.ts'

const BROWSERS = ['com.android.chrome', 'org.mozilla.firefox'] as const

interface BrowserOptions extends ShellOptions {
  link: Link
  mayAct?: (() => void) | undefined
}

export const openInBrowser = async (
  { uri, browser }: ParamsOf['open_uri'],
  { link, mayAct = () => {}, ...options }: BrowserOptions,
): Promise<Record<string, string>> => {
  const shell = deviceShell(link, options)
  const view = ['-a', 'android.intent.action.VIEW', '-d', uri]
  for (const packageName of browser ? BROWSERS : []) {
    const { stdout } = await shell.ask(commandLine('pm', 'path', packageName))
    if (!/^package:/m.test(stdout)) continue
    mayAct()
    if ((await startActivity(shell, [...view, '-p', packageName], opensUri(uri))) === 'started') return { uri }
  }
  mayAct()
  if ((await startActivity(shell, view, opensUri(uri))) === 'started') return { uri }
  throw new StepFailure('URI_NOT_HANDLED', `no application opens ${uri}`)
}
