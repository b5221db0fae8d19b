/** Command lines of the shell of a simulated phone. */
import { systemClock } from '../../../src/runtime/clock.ts'
import { emptyInput } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { mutateText } from '../mutate/text.ts'
import { expectThat, type OpenTarget, type Target } from '../target.ts'

const LONGEST_MS = 250
const ENDED_MS = 3_000

const WORDS = [
  ...[
    '$(',
    '`',
    '${',
    '}',
    '((',
    '))',
    '&&',
    '||',
    '|',
    ';',
    '&',
    '>',
    '>>',
    '<',
    '2>&1',
    '<<EOF\n',
    "'",
    '"',
    '\\',
    '\n',
    '#',
  ],
  ...[
    'if ',
    'then ',
    'else ',
    'fi',
    'while ',
    'do ',
    'done',
    'for x in ',
    'case ',
    ' in ',
    'esac',
    '*)',
    ';;',
    'function f',
    '{ ',
    '; }',
    '!',
  ],
  ...[
    'true',
    'false',
    ':',
    'echo ',
    'printf ',
    'test ',
    '[ ',
    ' ]',
    'cat ',
    'ls ',
    'rm ',
    'head -c ',
    'tr ',
    'sed ',
    'grep ',
    'wc',
    'sleep ',
  ],
  ...[
    'getprop',
    'setprop ',
    'settings put ',
    'dumpsys ',
    'am start ',
    'am broadcast ',
    'pm list packages',
    'input tap ',
    'wm size',
    'logcat -d',
  ],
  ...[
    '$((',
    '1+1',
    '2**31',
    '1/0',
    '%s',
    '%d',
    '$@',
    '$#',
    '$?',
    '*',
    '?',
    '[a-z]',
    '/sdcard/',
    '/dev/null',
    '/dev/zero',
    '-n',
    '-e',
    'x=1 ',
  ],
] as unknown as readonly [string, ...string[]]

const decoder = new TextDecoder('utf-8')

const runLines = (): OpenTarget => {
  const clock = systemClock()
  const phone = phoneOf({ clock })
  const shell = createShell({ phone, clock })
  return {
    async read(input) {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), LONGEST_MS)
      let bytes = 0
      const take = async (part: Uint8Array) => {
        bytes += part.length
      }
      const io = { stdin: emptyInput, stdout: take, stderr: take, signal: stop.signal }
      const late = new Promise<'late'>(resolve => setTimeout(resolve, ENDED_MS, 'late').unref())
      const ended = await Promise.race([shell.run(decoder.decode(input), io), late])
      clearTimeout(timer)
      expectThat(ended !== 'late', 'a command that nobody can end')
      return ended === 0 && bytes > 0 ? 'accepted' : 'refused'
    },
    close: () => phone.close(),
  }
}

export const phoneShell: Target = {
  name: 'phone-shell',
  seeds: [
    'getprop ro.product.model; echo $?',
    'for x in a b "c d"; do echo "$x" | tr a-z A-Z; done',
    'if [ -d /sdcard ]; then ls -l /sdcard > /data/local/tmp/x 2>&1; cat /data/local/tmp/x | wc -l; fi',
    'x=$((1 + 2 * 3)); while [ $x -gt 0 ]; do x=$((x - 1)); done; printf "%s-%d\\n" a 5',
    'f() { echo "$@" $#; }; f 1 2 3 && (cd / && pwd) || true',
    'case abc in a*) echo yes;; *) echo no;; esac; cat <<EOF\n$x `echo y`\nEOF',
    'am start -a android.intent.action.VIEW -d "tel:1" --es k v; dumpsys window | grep mCurrentFocus',
    'settings put system font_scale 1.5; pm list packages -U; logcat -d -v brief; input text a%sb',
  ],
  mutate: mutateText(WORDS, [
    ['$(', ')'],
    ['{ ', '; }'],
    ['(', ')'],
    ['${x:-', '}'],
    ['$((', '))'],
  ]),
  bytesMax: 16 * 1_024,
  open: runLines,
}
