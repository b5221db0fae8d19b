// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a shell reads
/** What a command line means, against what a real `sh` makes of it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { captured, runIn, shellOf } from '../../support/device/shell-run.ts'
import { needs } from '../../support/needs.ts'
import { propertyRuns } from '../../support/property-runs.ts'

/** Nothing in them depends on where `sh` runs. */
const LINES = [
  'printf \' a  b \\n c\\n\' | while IFS= read -r line; do echo "[$line]"; done',
  'X=1; X=2 true; echo "$X"; Y=3 read Z < /dev/null; echo "[$Y]"',
  'for i in 1 2; do X=1 break; done; echo "$i"',
  'n=0; echo $((n > 0 ? 5 / n : 7)) $((n == 0 ? 8 : 5 / n)) $((n && 5 / n)) $((1 || 5 / n))',
  'printf %s\\\\n a b "c d"',
  "printf '%s|' 'a'\"b\"c\\ d",
  'A=1; B="$A 2"; printf "[%s]" $B "$B" \'$B\'',
  'A="a  b"; printf "<%s>" $A "$A" x$A"y"',
  'printf "<%s>" "${NOPE:-x y}" ${NOPE-z w} "${HOME:+has}" ${NOPE+no} "" $NOPE "$NOPE"',
  'true && echo yes || echo no; false && echo yes || echo no',
  'false; echo $?; true; echo $?; ! true; echo $?; (exit 5); echo $?',
  'echo a; echo b # echo c',
  'echo a#b "#c" \\#d',
  'echo a\\\nb',
  '{ echo 1; echo 2; } | wc -l',
  '(A=2; echo $A); echo "[$A]"',
  '{ A=3; }; echo "[$A]"',
  'A=4 true; echo "[$A]"',
  'echo $(echo a; echo b) "$(echo c; echo d)"',
  'echo `echo x` "`echo y`"',
  'A=$(false); echo $?; A=$(true); echo $?',
  'sh -c \'echo "$0-$1-$#"\' zero one two',
  'sh -c \'printf "<%s>" "$@"\' x "a b" c',
  'echo out; echo err >&2',
  '{ echo out; echo err >&2; } 2>&1 >/dev/null',
  '{ echo out; echo err >&2; } >/dev/null 2>&1; echo end',
  'echo in | { read_nothing 2>/dev/null; cat; }',
  'printf "%5s|%-5s|%05d|%x|%o|%c|%%\\n" ab cd 42 255 8 xyz',
  "printf '%s-%s\\n' a b c",
  "printf '%b|' 'a\\tb' 'c\\\\d'",
  "printf 'a\\101\\n'",
  'test a = a && echo eq; [ 1 -lt 2 ] && echo lt; [ ! -e /nonexistent ] && echo none; test -z "" && echo empty',
  'exit 3; echo never',
  'echo a && exit 4 || echo never',
  '(exit 6) || echo six; exit',
  'exec echo gone; echo never',
  'command -v echo >/dev/null && echo has',
  'export X="a b"; sh -c \'echo "$X"\'',
  'X=1; unset X; echo "[$X]"',
  'cd /; pwd',
  'printf "a\\nb\\nc\\n" | head -n 2; printf "a\\nb\\nc\\n" | tail -n 1; printf abcdef | head -c 3; printf abcdef | tail -c 2',
  'printf "one\\ntwo\\nthree\\n" | grep -c e; printf "one\\ntwo\\n" | grep -v one; printf "x\\n" | grep -q y || echo none',
  'printf hello | base64; printf aGVsbG8= | base64 -d; printf hello | sha256sum',
  'printf "" | wc -c',
  ': ; true | false; echo $?; false | true; echo $?',
  'printf %s "a\\$b\\\\c\\"d" \'e\\f\'',
  'echo -n x; echo',
  'false;true;',
  'echo a;;',
  'echo "open',
  "echo 'open",
  'echo )',
  '&& echo',
  'echo |',
  '| echo',
  'echo a >',
  'nonexistent_command_x 2>/dev/null; echo $?',
  'if true; then echo yes; else echo no; fi; if false; then echo yes; elif true; then echo elif; else echo no; fi',
  'if false; then echo yes; fi; echo $?; if (exit 4); then :; else echo $?; fi',
  'if true\nthen\n  echo a\n  echo b\nfi | wc -l',
  'if [ -z "" ]; then if [ 1 -gt 2 ]; then echo deep; else echo inner; fi; fi > /dev/null; echo $?',
  'for a in 1 "2 3" $(echo 4 5); do printf "<%s>" "$a"; done; echo "[$a]"',
  'for a in; do echo never; done; echo $?; for a in x y; do false; done; echo $?',
  'for a\nin 1 2\ndo\necho $a\ndone',
  'sh -c \'for a do printf "<%s>" "$a"; done\' zero one \'two three\'',
  'i=0; while [ $i -lt 5 ]; do i=$((i + 1)); [ $i = 2 ] && continue; [ $i -eq 4 ] && break; echo $i; done; echo "end $i $?"',
  'i=3; until [ $i -eq 0 ]; do printf "%s " $i; i=$((i - 1)); done',
  'for a in 1 2; do for b in x y; do [ $b = y ] && continue 2; echo $a$b; done; done',
  'for a in 1 2; do for b in x y; do break 2; done; echo never; done; echo out',
  'while false; do :; done; echo $?',
  'for a in 1 2 3; do echo $a; done | while read n; do echo "got $n"; done',
  'printf "a b  c\\nd\\n" | while read -r x y; do echo "[$x][$y]"; done',
  'printf "one\\ntwo\\n" | { read a; read b; echo "$b$a"; }; read c </dev/null; echo "$? [$c]"',
  'for a in 1 2 3; do if [ $a = 2 ]; then exit 7; fi; echo $a; done; echo never',
  'echo if then fi for in do done while; echo done; if=1; echo $if',
  '{ if true; then echo in; fi; }; (for a in 1; do echo $a; done)',
  'cat <<EOF\nA=$A $(echo sub) `echo tick` \\$x "quoted" \'single\' $((1 + 2))\nEOF\necho after',
  "A=1; cat <<'EOF'\n$A `no` \\$\nEOF",
  'cat <<-END\n\t\tone\n\ttwo\n\tEND\necho x',
  'cat <<A; cat <<B\nfirst\nA\nsecond\nB\necho third',
  'cat <<EOF | wc -l\na\nb\nEOF',
  'if cat <<EOF\nin test\nEOF\nthen echo yes; fi',
  'while read line; do echo "<$line>"; done <<EOF\na b\n c\nEOF',
  'X=$(cat <<EOF\ninside\nEOF\n); echo "[$X]"',
  'cat <<EOF\nEOF\necho empty',
  'echo $((1 + 2 * 3)) $(((1 + 2) * 3)) $((7 / 2)) $((-7 / 2)) $((7 % 3)) $((-7 % 3)) $((0x1f)) $((010))',
  'A=5; echo $((A * 2)) $(($A + 1)) $((A > 3)) $((A == 5 && A != 6)) $((!A)) $((~A)) $((A ? 1 : 2)) "$((1<<4))" $((5 & 3 | 8))',
  'echo $((NOPE + 1)) $((2 > 1 ? 10 : 20))',
  'echo $((1 +)); echo never',
  'echo $((1 / 0)); echo never',
  'if true; then echo a',
  'if; then echo a; fi',
  'for 1 in a; do echo; done',
  'then echo a',
  'while true; done',
  'do echo; done',
  'if true; then echo a; fi fi',
  '[ 3 -eq 3 ]; echo $?; [ 3 -eq 4 ]; echo $?; [ -n a -a -z "" ]; echo $?; [ a = b -o a = a ]; echo $?; test; echo $?',
  '[ a -eq 1 ] 2>/dev/null; echo $?; [ 1 -eq ] 2>/dev/null; echo $?',
]

const call = promisify(execFile)

describe.skipIf(!needs('sh'))('against a real sh', () => {
  const shell = shellOf()
  const real = async (line: string) =>
    call('sh', ['-c', line], { env: { PATH: process.env.PATH ?? '', HOME: '/' }, cwd: '/', encoding: 'buffer' }).then(
      ({ stdout }) => ({ code: 0, out: stdout.toString() }),
      (error: { code: number; stdout: Buffer }) => ({ code: error.code, out: error.stdout.toString() }),
    )
  /** Of a line that cannot be read it only matters that it fails and runs nothing. */
  const plain = ({ code, out }: { code: number; out: string }) => (code !== 0 && out === '' ? 'failed' : { code, out })

  test.each(LINES)('%j', async line => {
    expect(plain(await runIn(shell, line))).toEqual(plain(await real(line)))
  })

  const piece = fc.constantFrom(
    ...[
      "'a b'",
      '"c  d"',
      'e',
      '$V',
      '"$V"',
      "'$V'",
      '\\ ',
      '\\$',
      '"\\""',
      '""',
      "''",
      '${V}x',
      '$(printf f)',
      '"$(printf "g h")"',
    ],
  )
  const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map(parts => parts.join(''))
  const simple = fc.oneof(
    fc.array(word, { maxLength: 3 }).map(words => `printf '<%s>' ${words.join(' ')}`),
    fc.constantFrom('true', 'false', '(exit 3)', 'V=w', '{ printf x; false; }', '( printf y )', 'printf z >&2'),
  )
  const line = fc
    .tuple(
      fc.oneof(simple, fc.constant('! true')),
      fc.array(fc.tuple(fc.constantFrom(';', '&&', '||', '\n', '| cat;', '|'), simple), { maxLength: 5 }),
    )
    .map(([first, rest]) => [first, ...rest.flat()].join(' '))

  test('random lines print the same and end the same', async () => {
    await fc.assert(
      fc.asyncProperty(line, async commands => {
        const whole = `V='1  2'; ${commands}`
        const { code, out } = await runIn(shell, whole)
        expect({ code, out }).toEqual(await real(whole))
      }),
      { numRuns: propertyRuns(150) },
    )
  })
})

describe('what this shell does not do is refused and not misread', () => {
  const shell = shellOf()

  test.each([
    ['cat <<EOF\nx\n', "here document 'EOF' unclosed"],
    ['echo $((1 + 2)', "no closing '))'"],
    ['case a in a) echo;; esac', "'case' is not supported"],
    ['if true; then echo', 'unexpected end of file'],
    ['for a in b; echo; done', "unexpected 'echo'"],
    [`${'if true; then '.repeat(500)}echo`, 'nested too deeply'],
    ['f() { echo; }', "unexpected '('"],
    ['echo ${A#x}', 'bad substitution'],
    [`${'('.repeat(500)}echo${')'.repeat(500)}`, 'nested too deeply'],
    [`echo ${'$('.repeat(5_000)}`, 'nested too deeply'],
  ])('%j', async (line, reason) => {
    const { code, out, err } = await runIn(shell, line)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(reason)
  })

  test('a script that runs itself comes to an end', async () => {
    const { err } = await runIn(shell, "echo 'sh /sdcard/me' > /sdcard/me; sh /sdcard/me")
    expect(err).toContain('nested too deeply')
  })
})

describe('files', () => {
  test('redirections write, append and read', async () => {
    const shell = shellOf()
    const { out } = await runIn(shell, 'echo a > /sdcard/f; echo b >> /sdcard/f; cat < /sdcard/f; wc -c < /sdcard/f')
    expect(out).toBe('a\nb\n4\n')
    expect((await runIn(shell, 'echo x > /system/f; echo $?')).out).toBe('1\n')
    expect((await runIn(shell, 'cat < /sdcard/none')).err).toContain(
      "can't open /sdcard/none: No such file or directory",
    )
    expect((await runIn(shell, 'echo x > /sdcard/no/folder')).err).toContain('No such file or directory')
  })

  test('a wild name stands for the files it fits, and for itself when there are none', async () => {
    const shell = shellOf()
    await runIn(shell, 'cd /sdcard/Download; touch a.txt b.txt .c.txt "d e.txt"')
    const names = async (words: string) => (await runIn(shell, `cd /sdcard/Download; printf '<%s>' ${words}`)).out
    expect(await names('*.txt')).toBe('<a.txt><b.txt><d e.txt>')
    expect(await names('/sdcard/Download/?.txt')).toBe('</sdcard/Download/a.txt></sdcard/Download/b.txt>')
    expect(await names('"*.txt" *:S \\*')).toBe('<*.txt><*:S><*>')
  })
})

test('a command that throws costs an exit code, not the shell', async () => {
  const shell = shellOf()
  const { code, err } = await runIn(shell, 'grep "(" /dev/null')
  expect(code).toBe(1)
  expect(err).toContain('grep: ')
  const { io } = captured()
  expect(await shell.run('true', io)).toBe(0)
})
