/** SVC_BIN of a run: a shell script that starts svc with what the run needs, whatever environment is left around it. */
import { isAbsolute, join, resolve } from 'node:path'
import { SKILL_RUN_ENV } from '../../../contracts/records/ids.ts'
import { userHome } from '../../../runtime/home.ts'
import { programOnPath } from './find-executable.ts'
import type { ChildWorld } from './request.ts'
import { isInRunFolder } from './run-folder.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface SvcBinOptions {
  runId: string
  /** The child's: what it holds is carried. */
  env: Environment
  world: Pick<ChildWorld, 'cwd' | 'node' | 'program' | 'home' | 'env'>
}

export const SVC_BIN_NAME = 'svc'

/**
 * Variables that a caller may choose for itself. Variables that are read together are one choice: a caller who names
 * another adb server by one variable does not mean the rest of the run's.
 */
const CHOICES: readonly (readonly string[])[] = [
  ['ADB_SERVER_SOCKET', 'ANDROID_ADB_SERVER_ADDRESS', 'ANDROID_ADB_SERVER_PORT'],
  ['ADB_PATH', 'ANDROID_HOME', 'ANDROID_SDK_ROOT'],
  ['SVC_TCP_DEVICES'],
  ['SVC_DEVICE_ID'],
  ['SVC_OPERATOR_PACKAGE'],
  ['SVC_LEASE_BY'],
  ['SVC_JOURNAL'],
  ['SVC_NO_DAEMON'],
  ['SVC_DAEMON_IDLE_MS'],
  ['SVC_SKILLS_REGISTRY'],
]

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const assign = (pairs: Iterable<readonly [string, string]>): string =>
  `export ${[...pairs].map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}`

/** Unless the caller has another value for one of them. */
const carried = (names: readonly string[], env: Environment): string[] => {
  const held = names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  if (held.length === 0) return []
  const isUnchanged = names.map(name => {
    const value = env[name]
    return value === undefined
      ? `[ -z "\${${name}-}" ]`
      : `{ [ -z "\${${name}+set}" ] || [ "$${name}" = ${quoted(value)} ]; }`
  })
  return [`if ${isUnchanged.join(' && ')}; then ${assign(held)}; fi`]
}

/** The caller's own folders come first. */
const path = ({ PATH = '' }: Environment): string[] =>
  PATH === '' ? [] : [`[ "\${PATH-}" = ${quoted(PATH)} ] || export PATH="\${PATH:+$PATH:}"${quoted(PATH)}`]

const IS_SCRIPT = /\.[cm]?js$/

/** A caller may have neither this directory nor this PATH. */
const absolute = (program: string, { cwd, env }: Pick<ChildWorld, 'cwd' | 'env'>): string => {
  if (isAbsolute(program)) return program
  if (program.includes('/') || IS_SCRIPT.test(program)) return resolve(cwd, program)
  return programOnPath(program, { env, cwd }) ?? program
}

export const svcBinScript = ({ runId, env, world }: SvcBinOptions): string => {
  const program = absolute(world.program, world)
  const command = IS_SCRIPT.test(program) ? [world.node, program] : [program]
  return [
    '#!/bin/sh',
    '# svc for one skill run. The run, its home and its policy are fixed; of the rest, what the caller chose otherwise stays.',
    assign([
      [SKILL_RUN_ENV, runId],
      ['SVC_HOME', world.home],
      ['HOME', userHome(world.env)],
      // A blank one is the policy of the home.
      ['SVC_POLICY', world.env.SVC_POLICY ?? ''],
    ]),
    ...CHOICES.flatMap(names => carried(names, env)),
    ...path(env),
    `exec ${command.map(quoted).join(' ')} "$@"`,
    '',
  ].join('\n')
}

/** The target of a run's SVC_BIN: the caller's own, unless it belongs to another run; else the svc that runs it. */
export const programOf = (env: Environment, ownProgram: string | undefined): string => {
  const named = env.SVC_BIN?.trim() ?? ''
  return named === '' || isInRunFolder(named) ? (ownProgram ?? SVC_BIN_NAME) : named
}

export const svcBinIn = (folder: string): string => join(folder, SVC_BIN_NAME)
