/** `svc skills`: the commands as data; each loads its implementation when it runs. */
import { SKILL_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { argumentOr, type Command, type CommandResult, commandShape, usage } from '../command.ts'
import { REGISTRY, RUN_FLAGS, record, SKILL } from './skills-record.ts'

const PATHS = 'Paths of an entry are relative to the folder above the one that holds the registry file.'

const finding = () => import('../skills/registry.ts')
const checking = () => import('../skills/check.ts')
const making = () => import('../skills/make.ts')

const list: Command = {
  path: ['skills', 'list'],
  text: async () => (await finding()).skillsText,
  summary: 'list the skills of the registry',
  details: `Prints {skills, count}, in the order of the registry. ${PATHS}`,
  flags: [REGISTRY],
  examples: ['svc skills list', 'svc skills list --registry my-skills/skills/skills-registry.json'],
  run: async (call): Promise<CommandResult> => (await finding()).list(call),
}

const get: Command = {
  path: ['skills', 'get'],
  text: async () => (await finding()).skillText,
  summary: 'show the registry entry of one skill',
  details: 'Prints {skill}. Fails with SKILL_NOT_FOUND if the registry does not have it.',
  args: [{ ...SKILL, required: true, kind: 'skill' }],
  flags: [REGISTRY],
  examples: ['svc skills get com.android.settings.battery'],
  run: async (call): Promise<CommandResult> => (await finding()).get(call),
}

const forApp: Command = {
  path: ['skills', 'for-app'],
  text: async () => (await finding()).skillsText,
  summary: 'list the skills for one application',
  details: 'Prints {skills, count}; the same as svc skills search --app.',
  args: [
    {
      name: 'package_id',
      summary: 'the exact application id, such as com.android.settings',
      required: true,
      kind: 'app',
    },
  ],
  flags: [REGISTRY],
  examples: ['svc skills for-app com.android.settings'],
  run: async (call): Promise<CommandResult> => (await finding()).forApp(call),
}

const search: Command = {
  path: ['skills', 'search'],
  text: async () => (await finding()).skillsText,
  shape: 'svc skills search (<keyword> | --app <package_id> | --intent <intent> | --keyword <text>)',
  summary: 'find skills by application, intent and keyword',
  details:
    'Prints {skills, count}. A skill must match everything given. A keyword is searched in keywords, then in id and\n' +
    'applicationId, then in the summary; whole words rank above parts of words, and the best match comes first.',
  args: [{ name: 'keyword', summary: 'the same as --keyword' }],
  flags: [
    { name: 'app', value: 'package_id', summary: 'skills for exactly this application' },
    { name: 'intent', value: 'intent', summary: 'skills with exactly this intent' },
    { name: 'keyword', value: 'text', summary: 'skills that match this text, best match first' },
    REGISTRY,
  ],
  examples: ['svc skills search battery', "svc skills search --app com.android.settings --keyword 'about phone'"],
  async run(call): Promise<CommandResult> {
    const shape = commandShape(search)
    const keyword = argumentOr(call, 'keyword', `The keyword is given twice, as an argument and as --keyword: ${shape}`)
    if ([keyword, call.text('app'), call.text('intent')].every(each => each === undefined || each.trim() === '')) {
      throw usage(`No search term is given: ${shape}`)
    }
    return (await finding()).search(call, keyword)
  },
}

const compileArtifact: Command = {
  path: ['skills', 'compile-artifact'],
  text: async () => (await checking()).compiledText,
  shape: 'svc skills compile-artifact <skill_id> --artifact <name> [--vars <json>]',
  summary: 'compile a recipe of a skill to an execution payload',
  details:
    'Prints {execution}, which svc exec takes. Each {{NAME}} in the recipe is replaced with the value of NAME in\n' +
    '--vars. A string of the recipe that is one placeholder and nothing else becomes a number or a boolean where the\n' +
    'value is one: "durationMs": "{{MS}}" with {"MS": 500}. Inside other strings, values are text. commandId and taskId\n' +
    'are derived from skill, artifact and vars where the recipe has none. {{COMMAND_ID}} and {{TASK_ID}} stand for the derived\n' +
    'ids, unless --vars gives COMMAND_ID or TASK_ID; ids that the recipe writes out stay as they are.',
  args: [{ ...SKILL, summary: `${SKILL.summary}; or --skill-id`, kind: 'skill' }],
  flags: [
    { name: 'skill-id', value: 'id', summary: 'the skill, instead of the argument' },
    { name: 'artifact', value: 'name', summary: 'the name of the recipe, with or without .recipe.json' },
    { name: 'vars', value: 'json', summary: 'a JSON object with a value for each placeholder (default {})' },
    REGISTRY,
  ],
  examples: [
    'svc skills compile-artifact com.android.settings.open-row --artifact open-row --vars \'{"ROW": "Battery"}\'',
  ],
  async run(call): Promise<CommandResult> {
    const shape = commandShape(compileArtifact)
    const skillId = argumentOr(call, 'skill-id', `The skill is given twice: ${shape}`)
    if (!skillId?.trim()) throw usage(`<skill_id> is missing: ${shape}`)
    const artifact = call.text('artifact')
    if (!artifact?.trim()) throw usage(`--artifact is missing: ${shape}`)
    return (await checking()).compileArtifactOf(call, { skillId, artifact })
  },
}

const create: Command = {
  path: ['skills', 'new'],
  text: async () => (await making()).createdText,
  summary: 'create a skill that can be run at once',
  details:
    'Writes SKILL.md, skill.json, scripts/run.js and scripts/run.sh beside the registry and adds the entry: all of it, or\n' +
    'nothing. Prints {created, skillId, registryPath, skillPath, files, flowPath?, next}. The steps of the skill are yours to\n' +
    'write; with --from-flow they are those of a flow, which is copied with the files that it reads: its variables are inputs.',
  args: [{ ...SKILL, summary: '<applicationId>.<intent>, split at the last dot', required: true }],
  flags: [
    { name: 'summary', value: 'text', summary: 'what the skill does, in one line' },
    { name: 'recording-context', value: 'file', summary: 'a recording to copy into the folder of the skill' },
    { name: 'from-flow', value: 'file', summary: 'a flow that the skill runs with svc test' },
    REGISTRY,
  ],
  examples: [
    "svc skills new com.android.settings.battery-level --summary 'Reads the battery level'",
    'svc skills new com.example.shop.login --from-flow .maestro/login.yaml',
  ],
  run: async (call): Promise<CommandResult> => (await making()).create(call),
}

const validate: Command = {
  path: ['skills', 'validate'],
  text: async () => (await checking()).validatedText,
  shape: 'svc skills validate (<skill_id> | --all) [--dry-run]',
  summary: 'check the files of a skill against its registry entry',
  details:
    'Prints {valid, skill, registryPath, checks}; with --all {valid, totalSkills, registryPath, validSkills}. With --all,\n' +
    'each broken skill is listed in details.failures. --dry-run also checks the recipes as executions;\n' +
    'a placeholder that is a whole string fits any type. Uses no device.',
  args: [{ ...SKILL, kind: 'skill' }],
  flags: [
    { name: 'all', summary: 'every skill of the registry' },
    { name: 'dry-run', summary: 'check the payloads of its recipes as well' },
    REGISTRY,
  ],
  examples: ['svc skills validate com.android.settings.battery --dry-run', 'svc skills validate --all'],
  async run(call): Promise<CommandResult> {
    const [skillId] = call.args
    const isAll = call.isOn('all')
    if (isAll === (skillId !== undefined)) throw usage(`Give one skill, or --all: ${commandShape(validate)}`)
    const { validateAllOf, validateOne } = await checking()
    return skillId === undefined ? validateAllOf(call) : validateOne(call, skillId)
  },
}

const run: Command = {
  path: ['skills', 'run'],
  text: async () => (await import('../skills/run.ts')).skillRunText,
  printsFailures: true,
  summary: 'run a skill',
  details:
    'Validates the skill, checks that the device is ready, and runs the script in its own process group. Prints the\n' +
    'result, {status, skillResult, durationMs, ...}; exits with 1 unless status is success. With --output pretty, stderr\n' +
    'shows the output of the script as it comes (with text, what it writes to stderr). Signals go to the whole process group.\n\n' +
    'After <skill_id>, only --device, --operator-package, --timeout, --timeout-ms, --expect-contains, --skip-validate and\n' +
    '--help are flags of svc. Every other word goes to the script unchanged, --json, --verbose and --version included, and\n' +
    'so does everything after --. Put all other flags of svc before <skill_id>. With --device, the device is the first\n' +
    'argument of the script and SVC_DEVICE_ID.\n\n' +
    'To see what the run did on the device: svc executions list --skill-run <id>, with the id from svc watch or from\n' +
    '--output pretty. The message of a failed run ends with the reason that the skill gave: the note of its frame, else\n' +
    'the last line of stderr.',
  args: [
    { ...SKILL, required: true, kind: 'skill' },
    { name: 'skill_args', summary: 'passed to the script unchanged', rest: true },
  ],
  flags: [
    { name: 'expect-contains', value: 'text', summary: 'fail unless the output of the script contains this text' },
    { name: 'skip-validate', summary: 'do not check the files of the skill first' },
    REGISTRY,
  ],
  uses: ['device', 'lease', 'operator-package', 'timeout', 'policy', 'no-daemon'],
  examples: [
    'svc skills run com.android.settings.battery --device emulator-5554',
    `svc skills run --output pretty com.android.settings.search --timeout ${SKILL_TIMEOUT_MS / 2} --query wifi`,
    'svc skills run com.android.settings.battery --expect-contains % --verbose -- --device none',
  ],
  flagsAmongScriptArguments: RUN_FLAGS,
  run: async (call): Promise<CommandResult> => (await import('../skills/run.ts')).runSkillCommand(call),
}

const install: Command = {
  path: ['skills', 'install'],
  text: async () => (await making()).syncedText,
  summary: 'create or check the local skills workspace',
  details:
    'Creates an empty registry under ~/.svc/skills, a git repository without a remote. Keeps existing skills and downloads\n' +
    'nothing. Prints {synced, message, registryPath}. With --registry, creates or checks that file instead.',
  flags: [REGISTRY],
  examples: ['svc skills install'],
  run: async (call): Promise<CommandResult> => (await making()).install(call),
}

const update: Command = {
  path: ['skills', 'update'],
  text: async () => (await making()).syncedText,
  summary: 'check the local skills workspace',
  details: 'Prints {synced, message}. The workspace is a local repository: the only ref is main.',
  flags: [{ name: 'ref', value: 'git-ref', summary: 'main' }, REGISTRY],
  examples: ['svc skills update'],
  run: async (call): Promise<CommandResult> => (await making()).update(call),
}

const sync: Command = {
  path: ['skills', 'sync'],
  text: async () => (await making()).syncedText,
  shape: 'svc skills sync --ref main',
  summary: 'check that the local skills workspace is at a ref',
  details: 'Prints {synced, message}. Fails with SKILLS_SYNC_FAILED for any ref but main.',
  flags: [{ name: 'ref', value: 'git-ref', summary: 'main' }, REGISTRY],
  examples: ['svc skills sync --ref main'],
  run: async (call): Promise<CommandResult> => (await making()).sync(call),
}

export const SKILLS: readonly Command[] = [
  list,
  get,
  forApp,
  search,
  compileArtifact,
  create,
  record,
  validate,
  run,
  install,
  update,
  sync,
]
