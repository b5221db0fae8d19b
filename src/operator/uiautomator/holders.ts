/** Finds the process that holds the phone's UiAutomation when the helper cannot have it, as far as a phone tells. */
import type { CallOptions, Link } from '../../adb/link.ts'
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import { commandLine } from '../../adb/quote.ts'

/** Processes that take it, by their names. */
const KNOWN: Readonly<Record<string, string>> = {
  uiautomator: 'a uiautomator dump or test',
  'io.appium.uiautomator2.server': 'the Appium UiAutomator2 server',
  'com.github.uiautomator': 'the uiautomator server of openatx',
  'com.github.uiautomator.test': 'the uiautomator server of openatx',
}

const QUESTION = [
  commandLine('dumpsys', 'accessibility'),
  ...Object.keys(KNOWN).map(
    name => `${commandLine('pidof', name)} >/dev/null && ${commandLine('echo', `svc-runs:${name}`)}`,
  ),
].join('; ')

const HELD = /^\s*Ui Automation\[/m
const RUNS = /^svc-runs:(\S+)$/gm

/** Undefined when nobody holds it now. */
export const automationHolder = async (link: Link, options: CallOptions): Promise<string | undefined> => {
  const { stdout } = await link.shell(QUESTION, { ...options, maxBytes: OUTPUT_BYTES_MAX.state })
  if (!HELD.test(stdout)) return undefined
  const names = [...stdout.matchAll(RUNS)].map(([, name = '']) => `${KNOWN[name]} (${name})`)
  return names.length === 0 ? 'an unknown program' : names.join(', ')
}
