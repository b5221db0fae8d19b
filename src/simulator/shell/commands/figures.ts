/** `dumpsys gfxinfo` and `dumpsys meminfo` of one application, in the words of Android 15. */
import type { Context } from '../command.ts'
import { pidOf } from './process.ts'

/** Undefined for an app without a process. */
const processOf = ({ phone }: Context, name: string): number | undefined =>
  phone.packages().includes(name) && (phone.isRunning?.(name) ?? true) ? pidOf(phone, name) : undefined

const nameIn = (args: readonly string[]): string => args.find(word => !word.startsWith('-') && word !== 'reset') ?? ''

const statistics = [
  'Stats since: 52752558273ns',
  'Total frames rendered: 248',
  'Janky frames: 31 (12.50%)',
  'Janky frames (legacy): 44 (17.74%)',
  '50th percentile: 9ms',
  '90th percentile: 17ms',
  '95th percentile: 24ms',
  '99th percentile: 48ms',
  'Number Missed Vsync: 6',
  'Number High input latency: 0',
  'Number Slow UI thread: 12',
]

export const gfxinfo = (context: Context, args: readonly string[]): readonly string[] => {
  const name = nameIn(args)
  const pid = processOf(context, name)
  if (pid === undefined) return [`No process found for: ${name}`]
  return [
    'Applications Graphics Acceleration Info:',
    'Uptime: 812345 Realtime: 812345',
    '',
    `** Graphics info for pid ${pid} [${name}] **`,
    '',
    ...statistics,
    '',
    'Profile data in ms:',
    '',
    `\t${name}/${name}.MainActivity/android.view.ViewRootImpl@1f2e3d4 (visibility=0)`,
    'View hierarchy:',
    '',
    '  42 views, 64.21 kB of render nodes',
    ...statistics,
  ]
}

const row = (name: string, pss: number, rss: number) =>
  `${`${name}:`.padStart(21)} ${String(pss).padStart(8)} ${' '.repeat(20)} ${String(rss).padStart(8)}`

export const meminfo = (context: Context, args: readonly string[]): readonly string[] => {
  const name = nameIn(args)
  const pid = processOf(context, name)
  if (pid === undefined) return [`No process found for: ${name}`]
  return [
    'Applications Memory Usage (in Kilobytes):',
    'Uptime: 812345 Realtime: 812345',
    '',
    `** MEMINFO in pid ${pid} [${name}] **`,
    '                   Pss  Private  Private  SwapPss      Rss     Heap     Heap     Heap',
    '                 Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free',
    '                ------   ------   ------   ------   ------   ------   ------   ------',
    '  Native Heap    10232    10204        0       72    12532    18244    11820     3412',
    '  Dalvik Heap     7480     7344        0       18    12316     9844     4922     4922',
    '        TOTAL    51236    34120     9020       90   134068    28088    16742     8334',
    ' ',
    ' App Summary',
    '                       Pss(KB)                        Rss(KB)',
    '                        ------                         ------',
    row('Java Heap', 7_628, 25_204),
    row('Native Heap', 10_232, 12_532),
    row('Code', 16_804, 71_220),
    row('Stack', 1_044, 1_056),
    row('Graphics', 4_416, 4_416),
    row('Private Other', 3_016, 0),
    row('System', 8_096, 0),
    `${'TOTAL PSS:'.padStart(21)} ${'51236'.padStart(8)}            TOTAL RSS:   134068       TOTAL SWAP PSS:       90`,
  ]
}
