/** Skills: the registry, what changes it, and runs. */
import { compiledText, validatedText } from '../../../../../src/surfaces/cli/skills/check.ts'
import { createdText, syncedText } from '../../../../../src/surfaces/cli/skills/make.ts'
import { recordedText } from '../../../../../src/surfaces/cli/skills/record.ts'
import { skillsText, skillText } from '../../../../../src/surfaces/cli/skills/registry.ts'
import { skillRunText } from '../../../../../src/surfaces/cli/skills/run.ts'
import { testRunOutputText } from '../../../../../src/surfaces/cli/text/test-run.ts'
import { type Case, CJK, EMOJI, HOSTILE, ID, RTL } from './case.ts'

const skill = {
  id: 'com.android.settings.search-replay',
  applicationId: 'com.android.settings',
  intent: 'search-replay',
  summary: 'Types a query into the search field of Settings',
  path: 'skills/com.android.settings.search-replay',
  skillFile: 'skills/com.android.settings.search-replay/SKILL.md',
  scripts: ['skills/com.android.settings.search-replay/scripts/run.js'],
  artifacts: ['skills/com.android.settings.search-replay/artifacts/search.recipe.json'],
  keywords: ['search', RTL],
  contract: { inputs: { query: 'string', count: 'integer[1,9]' }, goal: null, verification: null },
}
const checks = {
  skillJsonPath: '/r/skill.json',
  skillFilePath: '/r/SKILL.md',
  scriptPaths: ['/r/scripts/run.js'],
  artifactPaths: ['/r/artifacts/search.recipe.json'],
}
const frame = {
  contractVersion: '1.0.0',
  skillId: skill.id,
  result: { kind: 'text', text: `Battery ${CJK} 87 %` },
  status: 'success',
  checkpoints: [
    { id: 'opened', status: 'ok', note: EMOJI },
    { id: 'searched', status: 'failed', evidence: { kind: 'json', value: { rows: 3 } } },
    { id: RTL, status: 'skipped', note: HOSTILE },
  ],
  terminalVerification: { status: 'not_run', expected: { kind: 'text', text: '87 %' }, note: 'no text was seen' },
  diagnostics: { warnings: ['slow'], hints: ['try again'] },
  source: { kind: 'script' },
}
const execution = {
  commandId: 'search-1',
  taskId: 't',
  source: 's',
  expectedFormat: 'x',
  timeoutMs: 9_500,
  mode: 'artifact_compiled',
  actions: [{ id: 'type', type: 'enter_text', params: { matcher: { role: 'textfield' }, text: CJK } }],
}

const run = (about: string, output: object): Case => ({
  about,
  printer: skillRunText,
  path: ['skills', 'run'],
  args: [skill.id, 'argument'],
  output,
})

export const SKILL_CASES: readonly Case[] = [
  {
    about: 'a run of flows',
    printer: testRunOutputText,
    output: {
      testRun: {
        ...{ testRunId: 't1', state: 'ended', verdict: 'failed', startedAt: 1_000, endedAt: 9_000 },
        folder: '/home/me/.svc/test-runs/t1',
        flows: [
          {
            ...{ flow: 'pay.yaml', name: 'pay', tags: [], properties: {}, verdict: 'failed' },
            attempts: [
              {
                ...{ flowRunId: 't1.1.1', attempt: 1, deviceId: 'emulator-5554', verdict: 'failed' },
                ...{ startedAt: 1_000, endedAt: 9_000 },
                error: {
                  ...{ code: 'NODE_NOT_FOUND', message: `No element has the text ${EMOJI}.`, hint: 'Look.' },
                  ...{ file: 'pay.yaml', line: 4, command: '- tapOn: Pay' },
                },
              },
            ],
          },
        ],
      },
    },
  },
  { about: 'flows that were checked', printer: testRunOutputText, output: { flows: [{ name: 'pay' }] } },
  { about: 'an empty registry', printer: skillsText, path: ['skills', 'list'], output: { skills: [], count: 0 } },
  {
    about: 'a search without a match',
    printer: skillsText,
    path: ['skills', 'search'],
    output: { skills: [], count: 0 },
  },
  {
    about: 'skills',
    printer: skillsText,
    path: ['skills', 'list'],
    output: {
      skills: [
        skill,
        { ...skill, id: `com.example.${CJK}`, summary: `${EMOJI} ${CJK}`, keywords: [] },
        { ...skill, id: 'com.example.pay', summary: HOSTILE },
      ],
      count: 3,
    },
  },
  { about: 'a skill', printer: skillText, output: { skill } },
  {
    about: 'a valid skill',
    printer: validatedText,
    output: {
      valid: true,
      skill,
      registryPath: '/r/skills-registry.json',
      checks,
      dryRun: { payloadValidation: 'passed' },
    },
  },
  {
    about: 'a valid skill whose payloads were not checked',
    printer: validatedText,
    output: {
      valid: true,
      skill,
      registryPath: '/r',
      checks,
      dryRun: { payloadValidation: 'skipped', reason: 'it has no recipe' },
    },
  },
  {
    about: 'a valid registry',
    printer: validatedText,
    output: { valid: true, totalSkills: 3, registryPath: '/r/skills-registry.json', validSkills: [] },
  },
  { about: 'a compiled recipe', printer: compiledText, output: { execution } },
  {
    about: 'a new skill',
    printer: createdText,
    output: {
      created: true,
      skillId: skill.id,
      registryPath: '/r',
      skillPath: '/r/skills/x',
      files: ['/r/skills/x/SKILL.md', '/r/skills/x/skill.json'],
      next: 'svc skills run x',
    },
  },
  {
    about: 'a recorded skill',
    printer: recordedText,
    output: {
      recorded: true,
      skillId: skill.id,
      registryPath: '/r',
      skillPath: '/r/skills/x',
      files: ['/r/skills/x/SKILL.md'],
      executions: [ID, ID],
      executionCount: 2,
      actionsReplayed: 5,
      inputs: [
        { name: 'query', secret: false },
        { name: 'password', secret: true },
      ],
      recipes: [{ name: 'main', actionCount: 7 }],
      verification: { expected: CJK, reasons: [] },
      scenarioPath: '/r/skills/x/scenario.json',
      notes: [],
      next: 'svc skills run x',
    },
  },
  {
    about: 'a workspace',
    printer: syncedText,
    output: { synced: true, message: 'The workspace is ready.', registryPath: '/r' },
  },
  run('a run with a frame', { status: 'success', skillResult: frame, durationMs: 4_321 }),
  run('a run without a frame', {
    status: 'success',
    skillId: skill.id,
    output: `level: 87 %\n${CJK}\n${HOSTILE}\n`,
    exitCode: 0,
    skillResult: null,
    durationMs: 1_300,
  }),
  run('a run that proved nothing', {
    status: 'indeterminate',
    code: 'SKILL_VERIFICATION_INDETERMINATE',
    message: 'Declared verification was not proved.',
    skillResult: { ...frame, checkpoints: [] },
    durationMs: 900,
  }),
  run('a run that failed', {
    status: 'failed',
    code: 'SKILL_EXECUTION_FAILED',
    message: `The script ended with 3: ${RTL}`,
    hint: 'Look at its output.',
    skillId: skill.id,
    exitCode: 3,
    stdout: `before\n${HOSTILE}`,
    stderr: 'oh\n',
    skillResult: frame,
  }),
  run('a run that a signal ended', {
    status: 'failed',
    code: 'SKILL_EXECUTION_TIMEOUT',
    message: 'The skill took longer than 90 s.',
    skillId: skill.id,
    exitCode: null,
    stdout: '',
    skillResult: null,
  }),
]
