/**
 * Fuzzes whatever reads bytes from outside: `npm run fuzz`, `npm run fuzz -- --target scenario --seconds 60`. What fails is
 * written below the folder of `--failures`; a seed repeats the same inputs for one commit and one speed of the machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inputName } from './corpus.ts'
import { TARGETS } from './targets/catalogue.ts'
import { runWorker } from './watched-worker.ts'
import { type WorkerSaid, type WorkerTask, work } from './worker.ts'

const USAGE = `npm run fuzz -- [--target NAME]... [--seconds S] [--seed N] [--keep] [--failures FOLDER]

  --target NAME  one of the targets, several times for several; all of them without it
  --seconds S    for all targets together; 60 unless told
  --seed N       of the random changes; another one each time unless told
  --keep         choose the inputs of test/fuzz/corpus anew, with those found now
  --failures FOLDER  where inputs that fail are written; /tmp/svc-fuzz unless told
  --list         the names of the targets`

const say = (text: string) => void process.stdout.write(`${text}\n`)
const refuse = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const FLAGS = {
  target: { type: 'string', multiple: true },
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string' },
  keep: { type: 'boolean', default: false },
  failures: { type: 'string', default: '/tmp/svc-fuzz' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
  /** Given by this program to itself. */
  worker: { type: 'boolean' },
} as const

const readFlags = () => {
  try {
    return parseArgs({ options: FLAGS, allowPositionals: false }).values
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}

const SEEDS = 2 ** 31

type Flags = ReturnType<typeof readFlags>

const numberOf = (given: string, name: string): number => {
  const number = Number(given)
  if (given.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  return refuse(`--${name} takes a number from 0 on, not ${JSON.stringify(given)}.`)
}

const namesOf = ({ target = [] }: Flags): readonly string[] => {
  const names = TARGETS.map(({ name }) => name)
  const unknown = target.find(each => !names.includes(each))
  if (unknown !== undefined) refuse(`There is no target ${unknown}. Targets: ${names.join(', ')}.`)
  return target.length === 0 ? names : target
}

/** Fuzzes the targets, one process for as many of them as it survives. */
const fuzzAll = async (flags: Flags): Promise<boolean> => {
  const program = fileURLToPath(import.meta.url)
  const names = namesOf(flags)
  const seed = Math.floor(flags.seed === undefined ? Math.random() * SEEDS : numberOf(flags.seed, 'seed'))
  const each = numberOf(flags.seconds, 'seconds') / names.length
  let defects = 0
  let inputs = 0
  const failed = (target: string, kind: string, message: string, input: Buffer) => {
    defects += 1
    const file = join(flags.failures, `${target}-${kind}-${inputName(input)}`)
    mkdirSync(flags.failures, { recursive: true })
    writeFileSync(file, input)
    say(`${target}: ${kind}, ${input.length} bytes in ${file}\n${message}`)
  }
  const candidates = new Map<string, readonly string[]>()
  const hear = (said: WorkerSaid) => {
    if (said.kind === 'kept') say(`${said.target}: ${said.inputs} inputs kept, ${said.bytes} bytes`)
    if (said.kind !== 'done') return
    inputs += said.inputs
    candidates.set(said.target, said.candidates)
    say(`${said.target}: ${said.inputs} inputs, ${said.accepted} accepted, ${said.candidates.length} candidates`)
    for (const { kind, message, input } of said.defects)
      failed(said.target, kind, message, Buffer.from(input, 'base64'))
  }
  const untilDone = async (targets: readonly string[], more: Partial<WorkerTask>): Promise<void> => {
    for (let left = targets; left.length > 0; ) {
      const task = { targets: left, seconds: each, seed, ...more }
      const end = await runWorker({ program, task, hear })
      if (end.kind === 'ended') return
      failed(end.target, end.kind, end.said, end.input)
      left = left.slice(left.indexOf(end.target) + 1)
    }
  }
  say(`seed ${seed}, ${each.toFixed(1)} s for each of ${names.length} targets`)
  await untilDone(names, {})
  // In a process that has not run the targets: only there is their code new.
  if (flags.keep) await untilDone(names, { candidates: Object.fromEntries(candidates) })
  say(`${inputs} inputs, ${defects} failures`)
  return defects === 0
}

const main = async (): Promise<void> => {
  const flags = readFlags()
  if (flags.help) return say(USAGE)
  if (flags.list) return say(TARGETS.map(({ name }) => name).join('\n'))
  if (!flags.worker) {
    process.exitCode = (await fuzzAll(flags)) ? 0 : 1
    return
  }
  process.once('message', (task: WorkerTask) => {
    const tell = (said: WorkerSaid) => new Promise<void>(resolve => process.send?.(said, () => resolve()))
    work(task, tell).then(
      () => process.exit(0),
      error => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
        process.exit(1)
      },
    )
  })
}

await main()
