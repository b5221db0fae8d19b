/** Runs the commands that a shell performs itself: its variables, its folder, its end. */
import { withoutEnd } from '../../../runtime/text/without-end.ts'
import { normalPath } from '../../files.ts'
import { type Command, fail, NOT_FOUND_CODE } from '../command.ts'
import { lined, readAll } from '../io.ts'
import { copyScope, newScope } from '../scope.ts'

const NAME = /^[A-Za-z_]\w*$/

export const exportVariable: Command = async context => {
  for (const word of context.args) {
    const [name = '', ...value] = word.split('=')
    if (!NAME.test(name) && !word.startsWith('-')) return fail(context, `export: ${word}: is not an identifier`)
    if (word.includes('=')) context.scope.variables.set(name, value.join('='))
  }
  return 0
}

export const unset: Command = ({ args, scope }) => {
  for (const name of args) scope.variables.delete(name)
  return 0
}

export const exec: Command = async ({ args, scope, call }) => {
  if (args.length === 0) return 0
  const code = await call(args)
  scope.ended = code
  return code
}

export const exit: Command = ({ args, scope }) => {
  scope.ended = args[0] === undefined ? scope.status : Number(args[0]) & 0xff
  return scope.ended
}

/** A number of loops; those that are not there are not left. */
const leave =
  (how: 'break' | 'continue'): Command =>
  async context => {
    const { scope, args } = context
    const wanted = args[0] === undefined ? 1 : Number(args[0])
    if (!Number.isInteger(wanted) || wanted < 1) return fail(context, `${how}: ${args[0]}: bad value`)
    if (scope.loops === 0) return fail(context, `${how}: cannot ${how}`, 0)
    scope.leaving = { how, loops: Math.min(wanted, scope.loops) }
    return 0
  }

export const breakLoop = leave('break')
export const continueLoop = leave('continue')

/** Each name gets a word, and the last one the rest of the line; without separators the first one gets it as it is. */
const wordsFor = (line: string, names: readonly string[], separators: string | undefined): string[] => {
  if (separators === '') return [line]
  const words: string[] = []
  let rest = line.replace(/^[ \t]+/, '')
  for (let at = 0; at < names.length - 1; at += 1) {
    const [word = ''] = /^[^ \t]*/.exec(rest) ?? []
    words.push(word)
    rest = rest.slice(word.length).replace(/^[ \t]+/, '')
  }
  return [...words, withoutEnd(rest, /[ \t]/)]
}

/** Fails at the end of its input, as loops that read it line by line expect. */
export const read: Command = async context => {
  const { stdin, scope, args } = context
  const isRaw = args[0] === '-r'
  const words = args.slice(isRaw ? 1 : 0)
  const names = words.length > 0 ? words : ['REPLY']
  const bad = names.find(name => !NAME.test(name))
  if (bad !== undefined) return fail(context, `read: ${bad}: is not an identifier`)
  const line = await lined(stdin).line?.()
  const text = (line ?? '').replace(/\n$/, '')
  const values = wordsFor(isRaw ? text : text.replace(/\\(.)/g, '$1'), names, scope.variables.get('IFS'))
  for (const [at, name] of names.entries()) scope.variables.set(name, values[at] ?? '')
  return line === undefined || !line.endsWith('\n') ? 1 : 0
}

export const cd: Command = async context => {
  const path = normalPath(context.args[0] ?? '/', context.scope.cwd)
  if (!context.phone.files.list(path)) return fail(context, `cd: ${path}: No such file or directory`, 2)
  context.scope.cwd = context.phone.files.realPath(path)
  return 0
}

export const pwd: Command = ({ out, scope }) => out(`${scope.cwd}\n`)

export const env: Command = async ({ args, scope, out, call }) => {
  const assigned = args.findIndex(word => !word.includes('=')) >>> 0
  for (const word of args.slice(0, assigned)) {
    scope.variables.set(word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1))
  }
  const rest = args.slice(assigned)
  if (rest.length > 0) return call(rest)
  return out([...scope.variables].map(([name, value]) => `${name}=${value}\n`).join(''))
}

/** `setsid` and `nohup`: what they run does not end with its caller. */
export const runDetached: Command = ({ args, call, phone }) =>
  args.length > 0 ? call(args, phone.processes ? { signal: phone.processes.closed } : {}) : 0

/** Waits for the jobs of this shell, or for the one that is named. */
export const wait: Command = async ({ args, scope }) => {
  const jobs = (scope.jobs ?? []).filter(({ pid }) => args.length === 0 || args.includes(String(pid)))
  const codes = await Promise.all(jobs.map(({ end }) => end))
  return args.length === 0 ? 0 : (codes.at(-1) ?? NOT_FOUND_CODE)
}

/** Runs the rest as it stands: `toybox`, `nice` and their like. */
export const runRest: Command = ({ args, call }) => (args.length > 0 ? call(args) : 0)

export const command: Command = async context => {
  const [first, name = ''] = context.args
  if (first !== '-v') return runRest(context)
  if (!context.knows(name)) return 1
  return context.out(`${name}\n`)
}

export const which: Command = async ({ args, knows, out }) => {
  const found = args.filter(knows)
  for (const name of found) await out(`/system/bin/${name}\n`)
  return found.length === args.length ? 0 : 1
}

const SCRIPT_BYTES_MAX = 16 * 1_024 * 1_024

export const sh: Command = async context => {
  const [first, ...rest] = context.args
  const { files } = context.phone
  const { runAs } = context.scope
  const scope = {
    ...newScope(context.scope.pid),
    variables: copyScope(context.scope).variables,
    cwd: context.scope.cwd,
    ...(runAs === undefined ? {} : { runAs }),
  }
  if (first === undefined) {
    const script = await readAll(context.stdin, SCRIPT_BYTES_MAX)
    return context.run(script.toString('utf8'), scope)
  }
  if (first === '-c') {
    const [line, ...words] = rest
    if (line === undefined) return fail(context, 'sh: -c: argument missing')
    return context.run(line, { ...scope, positional: words.length > 0 ? words : scope.positional })
  }
  const file = files.read(normalPath(first, context.scope.cwd))
  if (!file) return fail(context, `sh: ${first}: No such file or directory`, NOT_FOUND_CODE)
  return context.run(Buffer.from(file.content).toString('utf8'), { ...scope, positional: [first, ...rest] })
}

/** Ignoring the hang-up is all that this shell can be told; the other signals never come here. */
export const trap: Command = context => {
  const [action, ...signals] = context.args
  if (action !== '') return fail(context, "trap: this shell takes only: trap '' SIGNAL...")
  if (signals.some(name => /^(?:SIG)?HUP$/.test(name))) context.scope.ignoresHangup = true
  return 0
}
