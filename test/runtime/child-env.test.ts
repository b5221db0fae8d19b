/** What the programs that svc starts learn of its environment. */
import { expect, test } from 'vitest'
import { childEnv, sharedChildEnv } from '../../src/runtime/child-env.ts'
import { sourcesUnder } from '../architecture/sources.ts'

const env = {
  PATH: '/bin',
  EMPTY: '',
  UNSET: undefined,
  SVC_SERVE_TOKEN: 'a-token-of-the-server',
  SVC_SKILL_RUN_ID: 'r1',
  SVC_SKILL_AGENT_CLI: 'codex',
  SVC_SKILLS_REGISTRY: '/skills.json',
}

test('a child learns everything but the token of the server', () => {
  const { UNSET: _, SVC_SERVE_TOKEN: __, ...rest } = env
  expect(childEnv(env)).toEqual(rest)
})

test('one that stays for others is not part of a skill run either', () => {
  expect(sharedChildEnv(env)).toEqual({ PATH: '/bin', EMPTY: '', SVC_SKILLS_REGISTRY: '/skills.json' })
})

test('who starts programs is known: each takes their environment from here, or makes one of its own', () => {
  const starters = sourcesUnder('src').filter(({ imports }) =>
    imports.some(({ specifier, typeOnly }) => !typeOnly && /^(node:)?child_process$/.test(specifier)),
  )
  expect(starters.map(({ path }) => path)).toEqual([
    'src/adb/adb-program.ts',
    'src/cli/viewer/inspect.ts',
    'src/client/daemon-door.ts',
    'src/client/stop-daemons.ts',
    'src/daemon/manage/ports.ts',
    // For those who develop, with all of their environment.
    'src/demo/inspect.ts',
    'src/demo/picture.ts',
    // With what the demo makes for each.
    'src/demo/programs.ts',
    'src/demo/viewer-scene.ts',
    'src/emulators/process.ts',
    'src/emulators/run-tool.ts',
    // The user's own npm, asked on request.
    'src/flows/script/script-process.ts',
    'src/install/upgrade.ts',
    // Takes nothing of the caller's but PATH.
    'src/skills/install/repository.ts',
    // The text of a script, which runs as the child of a run.
    'src/skills/record/templates/replay-js.ts',
    // With the environment that child-plan.ts makes.
    'src/skills/run/child-system.ts',
    // mkfifo, with nothing but a PATH.
    'src/skills/run/stderr-pipe.ts',
    // The text of a script, which runs as the child of a run.
    'src/skills/scaffold/flow-skill.ts',
    'src/skills/scaffold/templates.ts',
  ])
})
