/** Valid samples of the shapes around skills, by schema name. */
import type { SchemaName } from '../../../src/contracts/json/public-shapes.ts'
import { execution } from './execution.ts'

export const entry = {
  id: 'com.android.settings.battery-level',
  applicationId: 'com.android.settings',
  intent: 'battery-level',
  summary: 'Reads the battery level',
  path: 'skills/com.android.settings.battery-level',
  skillFile: 'skills/com.android.settings.battery-level/SKILL.md',
  scripts: ['skills/com.android.settings.battery-level/scripts/run.js'],
  artifacts: [],
}

export const contract = {
  inputs: { name: 'string', level: 'integer', volume: 'integer[0,100]' },
  goal: { kind: 'set_level', unit: 'percent' },
  verification: { kind: 'node_text_matches', matcher: 'Level {level}' },
}

const agent = { cli: 'codex', cliPath: 'bin/codex', timeoutMs: 300_000 }

const reference = { kind: 'result_envelope_ref', execEnvelopeIndex: 0, stepResultId: 'read' }
const observed = { kind: 'text', text: '87%' }

export const checkpoint = {
  id: 'opened',
  status: 'ok',
  observedAt: '2024-01-01T00:00:00Z',
  evidence: reference,
  note: 'the list was there',
}

export const frame = {
  contractVersion: '1.0.0',
  skillId: entry.id,
  result: observed,
  status: 'success',
  checkpoints: [],
}

export const fullFrame = {
  ...frame,
  goal: { kind: 'read' },
  inputs: { level: 3 },
  result: { kind: 'json', value: null },
  status: 'indeterminate',
  checkpoints: [checkpoint, { id: 'left', status: 'skipped' }],
  terminalVerification: { status: 'verified', expected: observed, observed, note: 'seen' },
  diagnostics: { runtimeState: 'healthy', warnings: ['slow'], hints: [], extra: 1 },
  execEnvelopes: [{}],
}

/** Every optional field of it is null. */
const emptyFrame = {
  ...frame,
  ...{ goal: null, inputs: null, terminalVerification: null, diagnostics: null, execEnvelopes: null },
  checkpoints: [{ id: 'left', status: 'skipped', observedAt: null, evidence: null, note: null }],
}

export const skillResult = { ...fullFrame, source: { kind: 'agent', agentCli: 'codex' } }
const always = { durationMs: 12, timeoutMs: 120_000, expectedSubstring: '87' }

export const framed = { skillResult, ...always }
export const unframed = {
  status: 'success',
  skillId: entry.id,
  output: 'hi\n',
  exitCode: 0,
  skillResult: null,
  ...always,
}
export const indeterminate = {
  status: 'indeterminate',
  code: 'SKILL_VERIFICATION_INDETERMINATE',
  message: 'declared verification was not proved',
  ...framed,
}
export const failed = {
  code: 'SKILL_EXECUTION_FAILED',
  message: 'the script exited with 3',
  details: { path: 'a' },
  hint: 'read stderr',
  retriable: false,
  skillId: entry.id,
  exitCode: 3,
  stdout: 'out',
  stderr: 'err',
  output: 'out',
  skillResult: null,
  expectedSubstring: '87',
  timeoutMs: 1,
}

const checks = { skillJsonPath: '/a', skillFilePath: '/b', scriptPaths: ['/c'], artifactPaths: [] }
const report = {
  wrote: ['/w'],
  updated: ['/u'],
  removed: [],
  unchanged: [],
  skipped: [{ path: '/s', reason: 'changed' }],
  refused: [],
  warnings: ['w'],
}
const list = { skills: [{ name: 'svc-upgrade', skillPath: '/a' }], count: 1, installedDir: '/b' }
const hosts = [{ host: 'codex', dir: '/c', representation: 'symlink', state: 'ok' }]

export const SAMPLES = {
  RegistryEntry: [entry, { ...entry, keywords: ['power'], contract: 'as stored', anything: 1 }],
  RegistryFile: [{ skills: [] }, { schemaVersion: '1.0', generatedAt: 'today', skills: [entry], more: true }],
  SkillsQuery: [{}, { app: 'a', intent: 'b', keyword: 'c' }],
  SkillsOutput: [{ skills: [entry], count: 1 }],
  SkillOutput: [{ skill: entry }],
  SkillsResponse: [{ ok: true, skills: [entry], count: 1 }],
  SkillResponse: [{ ok: true, skill: entry }],
  SkillAgent: [agent, { cli: 'codex' }],
  SkillContract: [contract, {}, { inputs: {}, goal: null, verification: null }],
  SkillJson: [entry, { ...entry, agent, contract, keywords: [] }],
  ResultValue: [observed, { kind: 'json', value: { a: 1 } }, reference],
  Checkpoint: [checkpoint, { id: 'a', status: 'failed' }],
  SkillSource: [{ kind: 'script' }, { kind: 'agent', agentCli: 'codex' }],
  SkillResultFrame: [frame, fullFrame, { ...emptyFrame, result: null }],
  SkillResult: [skillResult, { ...emptyFrame, source: { kind: 'script' } }],
  SkillRunBody: [{}, { deviceId: 'a', args: ['x', 1, null, { a: 1 }], timeoutMs: 1, expectContains: '' }],
  SkillRunOutcome: [
    { status: 'success', ...framed },
    unframed,
    indeterminate,
    { status: 'failed', ...failed },
    { status: 'failed', code: 'SKILL_NOT_FOUND', message: 'no such skill' },
  ],
  SkillRunResponse: [
    { ok: true, ...framed },
    { ok: true, ...unframed },
    { ok: null, ...indeterminate },
    { ok: false, error: failed },
    { ok: false, status: 'failed', error: { ...failed, skillResult, exitCode: null } },
  ],
  RecipeFile: [{}, { actions: '{{STEPS}}' }],
  CompiledArtifact: [{ execution: { ...execution, mode: 'artifact_compiled' } }],
  SkillValidated: [
    { valid: true, skill: entry, registryPath: '/r', checks },
    {
      valid: true,
      skill: entry,
      registryPath: '/r',
      checks,
      dryRun: { payloadValidation: 'skipped', reason: 'no artifacts' },
    },
    { valid: true, skill: entry, registryPath: '/r', checks, dryRun: { payloadValidation: 'passed' } },
  ],
  SkillsValidated: [{ valid: true, totalSkills: 1, registryPath: '/r', validSkills: [{ skill: entry, checks }] }],
  SkillsInvalid: [
    {
      code: 'SKILL_VALIDATION_FAILED',
      message: '1 of 2 skills is invalid',
      registryPath: '/r',
      details: {
        totalSkills: 2,
        validCount: 1,
        invalidCount: 1,
        failures: [{ skillId: 'a.b', code: 'SKILL_VALIDATION_FAILED', message: 'missing' }],
      },
      hint: 'restore the file',
      retriable: false,
    },
  ],
  SkillRecorded: [
    {
      recorded: true,
      skillId: 'com.a.b',
      registryPath: '/r/skills/skills-registry.json',
      skillPath: '/r/skills/com.a.b',
      files: ['/r/skills/com.a.b/SKILL.md'],
      executions: ['e1'],
      inputs: [{ name: 'query', secret: false }],
      recipes: [{ name: 'b', actionCount: 3 }],
      verification: { expected: 'Battery', reasons: ['it is new'] },
      scenarioPath: '/r/skills/com.a.b/scenario.json',
      notes: ['one'],
      next: 'Run it: svc skills run com.a.b',
    },
    {
      recorded: true,
      skillId: 'com.a.b',
      registryPath: '/r/skills/skills-registry.json',
      skillPath: '/r/skills/com.a.b',
      files: [],
      executions: [],
      inputs: [],
      recipes: [],
      verification: null,
      notes: [],
      next: 'Run it: svc skills run com.a.b',
    },
  ],
  SkillCreated: [
    {
      created: true,
      skillId: 'a.b',
      registryPath: '/r',
      skillPath: '/s',
      files: ['SKILL.md', 'skill.json', 'scripts/run.js', 'scripts/run.sh'],
      next: 'edit SKILL.md',
    },
  ],
  SkillsSynced: [
    { synced: true, message: 'ready', registryPath: '/r' },
    { synced: true, message: 'ready' },
  ],
  AuthoringList: [list],
  AuthoringStatus: [{ ...list, hosts }],
  AuthoringInstalled: [{ ...list, hosts, ...report, dryRun: false, message: 'done' }],
  Installed: [
    { ok: true, dryRun: true, version: '1.0.0', ...report, message: 'planned', next: ['svc doctor'] },
    { ok: true, dryRun: false, version: '1.0.0', ...report, message: 'done' },
  ],
  UpgradeChecked: [
    { ok: true, state: 'newer', current: '1.0.0', available: '1.1.0', message: 'newer', command: 'npm install -g svc' },
    { ok: true, state: 'not-published', current: '1.0.0', available: null, message: 'none' },
  ],
} satisfies Partial<Record<SchemaName, unknown[]>>
