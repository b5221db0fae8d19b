/** `wc`, `grep`, `base64` and the checksums: what reads all of a file or of stdin and prints something of it. */
import { createHash } from 'node:crypto'
import { fail } from '../say.ts'
import { eachContent, withFlags } from '../sources.ts'

const count = (content: Buffer, byte: number) => content.reduce((sum, each) => sum + Number(each === byte), 0)

export const wc = withFlags({ on: 'clwm' }, (context, flags) =>
  eachContent(context, flags.rest, async (content, name) => {
    const all = !['c', 'l', 'w', 'm'].some(flags.has)
    const text = content.toString('utf8')
    const figures = [
      ...(all || flags.has('l') ? [count(content, 0x0a)] : []),
      ...(all || flags.has('w') ? [text.split(/\s+/).filter(Boolean).length] : []),
      ...(all || flags.has('c') ? [content.length] : []),
      ...(flags.has('m') ? [[...text].length] : []),
    ]
    await context.out(`${figures.join(' ')}${name === '-' ? '' : ` ${name}`}\n`)
  }),
)

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

export const grep = withFlags({ on: 'EFicqvohHsx', valued: 'em' }, async (context, flags) => {
  const [first, ...more] = [flags.value('e') ?? [], flags.rest].flat()
  if (first === undefined) return fail(context, 'grep: no REGEX', 2)
  const plain = flags.has('F') ? escapeRegExp(first) : flags.has('E') ? first : first.replace(/\\([|()+?{}])/g, '$1')
  const pattern = new RegExp(flags.has('x') ? `^(?:${plain})$` : plain, flags.has('i') ? 'iu' : 'u')
  const each = new RegExp(pattern.source, `${pattern.flags}g`)
  let found = 0
  const code = await eachContent(context, more, async (content, name) => {
    const lines = content.toString('utf8').replace(/\n$/, '').split('\n')
    const hits = lines
      .filter(line => pattern.test(line) !== flags.has('v'))
      .slice(0, Number(flags.value('m') ?? lines.length))
    found += hits.length
    if (flags.has('q')) return
    const prefix = more.length > 1 && !flags.has('h') ? `${name}:` : ''
    if (flags.has('c')) return context.out(`${prefix}${hits.length}\n`)
    const shown = flags.has('o') ? hits.flatMap(line => line.match(each) ?? []) : hits
    await context.out(shown.map(line => `${prefix}${line}\n`).join(''))
  })
  return code > 0 ? 2 : found > 0 ? 0 : 1
})

const BASE64_COLUMNS = 76

export const base64 = withFlags({ on: 'di', valued: 'w' }, (context, flags) =>
  eachContent(context, flags.rest, async content => {
    if (flags.has('d')) return context.out(Buffer.from(content.toString('latin1'), 'base64'))
    const columns = Number(flags.value('w') ?? BASE64_COLUMNS)
    const text = content.toString('base64')
    const lines = columns > 0 ? (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []) : [text]
    await context.out(lines.map(line => `${line}\n`).join(''))
  }),
)

const checksum = (algorithm: string) =>
  withFlags({ on: 'b' }, (context, flags) =>
    eachContent(context, flags.rest, async (content, name) => {
      const digest = createHash(algorithm).update(content).digest('hex')
      await context.out(flags.has('b') ? `${digest}\n` : `${digest}  ${name}\n`)
    }),
  )

export const md5sum = checksum('md5')
export const sha1sum = checksum('sha1')
export const sha256sum = checksum('sha256')
