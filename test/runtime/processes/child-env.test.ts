/** What the programs that svc starts learn of its environment. */
import { expect, test } from 'vitest'
import { childEnv, sharedChildEnv } from '../../../src/runtime/processes/child-env.ts'
import { sourcesUnder } from '../../architecture/sources.ts'

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
  const known = [
    'src/device/link/adb-program.ts',
    'src/surfaces/cli/viewer/inspect.ts',
    'src/surfaces/library/daemon-door.ts',
    'src/surfaces/library/phones-home.ts',
    'src/surfaces/daemon/manage/ports.ts',
    // For those who develop, with all of their environment.
    'src/build/demo/inspect.ts',
    'src/build/demo/picture.ts',
    // With what the demo makes for each.
    'src/build/demo/programs.ts',
    'src/build/demo/viewer-scene.ts',
    'src/service/emulators/process.ts',
    'src/service/emulators/run-tool.ts',
    // The user's own npm, asked on request.
    'src/service/flows/script/script-process.ts',
    'src/service/install/upgrade.ts',
    // Takes nothing of the caller's but PATH.
    'src/service/skills/install/repository.ts',
    // The text of a script, which runs as the child of a run.
    'src/service/skills/record/templates/replay-js.ts',
    // With the environment that child-plan.ts makes.
    'src/service/skills/run/child-system.ts',
    // mkfifo, with nothing but a PATH.
    'src/service/skills/run/stderr-pipe.ts',
    // The text of a script, which runs as the child of a run.
    'src/service/skills/scaffold/flow-skill.ts',
    'src/service/skills/scaffold/templates.ts',
  ]
  expect(starters.map(({ path }) => path).sort()).toEqual(known.sort())
})
