/** `svc skills record` as data, and what all `svc skills` commands take. */
import { type Command, type CommandResult, commandShape, type Flag } from '../command.ts'

export const REGISTRY: Flag = {
  name: 'registry',
  value: 'file',
  summary: 'the registry (default: SVC_SKILLS_REGISTRY, else skills/skills-registry.json, else the installed one)',
}

export const SKILL = { name: 'skill_id', summary: 'the id in the registry, such as com.android.settings.battery' }

/** After the id of a skill, only these are flags of `svc skills run`. */
export const RUN_FLAGS: readonly string[] = [
  '--device',
  '--operator-package',
  '--timeout',
  '--timeout-ms',
  '--expect-contains',
  '--skip-validate',
  '--help',
]

export const record: Command = {
  path: ['skills', 'record'],
  text: async () => (await import('../skills/record.ts')).recordedText,
  shape: 'svc skills record <skill_id> --from <id> [--param <name>=<value>] [--scenario [file]] [--format flow]',
  summary: 'make a skill of executions that were run before',
  details:
    'Writes recipes, a script that replays them, SKILL.md and the registry entry: all of it, or nothing. Values named by\n' +
    '--param become inputs, and so does what was typed into password fields. Where time had passed, a step waits for the\n' +
    'node it needs. A text of the last screen that was seen is proposed as verification. --scenario also writes a scenario\n' +
    'of the screens seen on the way, after the recipes have run on it: with svc simulate, the skill is tested without a\n' +
    'phone. --format flow also writes flow.yaml, which does the same with svc test: inputs become its variables, and what\n' +
    'flows have no command for is a comment in it. Failed executions are refused, unless the next one is their resumption.\n' +
    'Prints {recorded, skillId, registryPath, skillPath, files, executions, executionCount, actionsReplayed, inputs, recipes,\n' +
    'verification, scenarioPath?, flowPath?, notes, next}.',
  args: [{ ...SKILL, summary: '<applicationId>.<intent>, split at the last dot', required: true }],
  flags: [
    {
      name: 'from',
      value: 'id',
      many: true,
      summary:
        'an execution (snapshots between the steps too), or a skill run with all of its own; in order, also separated by commas',
    },
    { name: 'param', value: 'name=value', many: true, summary: 'an input, and its value in the recording' },
    {
      name: 'scenario',
      value: 'file',
      optional: /^(?!-).*(?:\/|\.json$)/,
      summary: "also write a scenario; without a file: scenario.json in the skill's folder",
    },
    { name: 'format', value: 'flow', summary: "also write flow.yaml in the skill's folder, for svc test" },
    { name: 'summary', value: 'text', summary: 'what the skill does, in one line' },
    REGISTRY,
  ],
  uses: ['device'],
  examples: [
    'svc skills record com.android.settings.battery-replay --from 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e --scenario',
    'svc skills record com.android.settings.find-replay --from <id>,<id> --param query=battery',
    'svc skills record com.android.settings.find-replay --from <id> --format flow',
  ],
  run: async (call): Promise<CommandResult> =>
    (await import('../skills/record.ts')).recordSkill(call, RUN_FLAGS, commandShape(record)),
}
