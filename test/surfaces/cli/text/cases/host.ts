/** This machine: the doctor, the daemon, the journal, the viewer, simulated devices, and what svc writes for agents. */
import { daemonText } from '../../../../../src/surfaces/cli/daemon/daemon.ts'
import { doctorText } from '../../../../../src/surfaces/cli/doctor/doctor.ts'
import {
  authoringInstalledText,
  authoringListText,
  authoringStatusText,
  installedText,
  upgradeText,
} from '../../../../../src/surfaces/cli/install/run.ts'
import { scenarioText } from '../../../../../src/surfaces/cli/journal/from-dump.ts'
import { exportedText, repairedText } from '../../../../../src/surfaces/cli/journal/journal.ts'
import { simulatedText } from '../../../../../src/surfaces/cli/journal/simulation.ts'
import { viewerText } from '../../../../../src/surfaces/cli/viewer/inspect.ts'
import { type Case, CJK, EMOJI, HOSTILE, RTL } from './case.ts'

const report = {
  ok: true,
  dryRun: false,
  version: '0.1.0',
  wrote: ['/home/me/.svc/AGENTS.md'],
  updated: [`/home/me/${CJK}/skills`],
  removed: [],
  unchanged: ['/home/me/.svc/skills', '/home/me/.svc/bundled-skills'],
  skipped: [{ path: '/home/me/.claude/skills/mine', reason: 'somebody changed it' }],
  refused: [],
  warnings: [],
  message: '1 written, 1 updated, 1 left alone.',
}
const authoring = {
  skills: [{ name: 'svc-upgrade', skillPath: '/home/me/.svc/bundled-skills/svc-upgrade' }],
  count: 1,
  installedDir: '/home/me/.svc/bundled-skills',
}
const status = {
  ...authoring,
  hosts: [
    { host: 'claude', dir: `/home/${RTL}/.claude/skills`, representation: 'symlink', state: 'ok' },
    { host: 'codex', dir: '/home/me/.codex/skills', representation: 'symlink', state: 'stale' },
    { host: 'agents', dir: '/home/me/.agents/skills', representation: 'copy', state: 'conflict' },
  ],
}
const counts = { records: 812, receipts: 1, checkpoints: 2, skipped: 0 }
const daemon = {
  status: 'running',
  socketPath: '/home/me/.svc/daemon/daemon-default.sock',
  pid: 4711,
  version: '0.1.0',
  buildIdentity: { entryPath: '/usr/lib/svc.cjs', mtimeMs: 1, size: 2 },
  uptimeSeconds: 3_725,
}

export const HOST_CASES: readonly Case[] = [
  {
    about: 'a healthy host',
    printer: doctorText,
    output: { ok: true, version: '0.1.0', checks: [{ name: 'node', status: 'ok', message: 'Node 20.20.2' }] },
  },
  {
    about: 'a host with problems',
    printer: doctorText,
    output: {
      ok: false,
      version: '0.1.0',
      checks: [
        { name: 'disk', status: 'ok', message: '80 GB are free' },
        {
          name: 'adb',
          status: 'failed',
          message: `adb was not found in ${CJK} or ${EMOJI}`,
          hint: 'Install it, and set ADB_PATH.',
        },
        { name: `device ${RTL}`, status: 'warning', message: HOSTILE, hint: 'Unlock the phone.' },
      ],
    },
  },
  { about: 'a daemon that runs', printer: daemonText, output: { ok: true, daemon } },
  {
    about: 'all daemons are stopped',
    printer: daemonText,
    output: {
      ok: true,
      daemons: [
        { status: 'stopped', socketPath: '/home/me/.svc/daemon/daemon-default.sock' },
        { status: 'stopped', socketPath: '/home/me/.svc/daemon/daemon-id-ZW11bGF0b3ItNTU1NA.sock' },
      ],
    },
  },
  { about: 'no daemon to stop', printer: daemonText, output: { ok: true, daemons: [] } },
  ...['started', 'already_running', 'stopped', 'not_running', 'unowned'].map(
    (state): Case => ({
      about: `a daemon: ${state}`,
      printer: daemonText,
      output: { ok: true, daemon: { status: state, socketPath: '/home/me/.svc/daemon/daemon-default.sock' } },
    }),
  ),
  {
    about: 'simulated devices',
    printer: simulatedText,
    output: {
      devices: [
        { serial: '127.0.0.1:41001', port: 41_001, name: 'sim-1' },
        { serial: '127.0.0.1:41002', port: 41_002, name: 'sim-2' },
      ],
    },
  },
  {
    about: 'a scenario',
    printer: scenarioText,
    output: { written: '/home/me/app.json', apps: ['com.x'], screens: ['main', CJK] },
  },
  {
    about: 'a viewer that runs',
    printer: viewerText,
    output: { url: 'http://127.0.0.1:3000/inspector', started: false },
  },
  {
    about: 'a viewer of its own',
    printer: viewerText,
    output: { url: 'http://127.0.0.1:3000/inspector', started: true },
  },
  {
    about: 'an exported journal',
    printer: exportedText,
    output: { exported: true, path: '/j', to: '/home/me/j.jsonl', ...counts },
  },
  {
    about: 'a damaged journal exported',
    printer: exportedText,
    output: { exported: true, path: '/j', to: '/home/me/j.jsonl', ...counts, skipped: 3 },
  },
  {
    about: 'nothing to repair',
    printer: repairedText,
    output: { repaired: false, path: '/j', message: 'The journal is in order: nothing to repair.' },
  },
  {
    about: 'a repair',
    printer: repairedText,
    output: {
      repaired: true,
      path: '/j/journal.db',
      reason: 'damaged',
      message: 'database disk image is malformed',
      exported: { to: '/j/journal-1.jsonl', ...counts, skipped: 3 },
      aside: ['/j/journal.db.damaged'],
      after: 9,
      receipts: 12,
      receiptsLost: null,
      hint: 'Idempotency-Keys that were used may run again.',
    },
  },
  { about: 'an installation', printer: installedText, output: { ...report, next: ['svc doctor checks this host'] } },
  {
    about: 'an installation that is planned',
    printer: installedText,
    output: { ...report, dryRun: true, message: 'Plan: 1 to write.' },
  },
  { about: 'authoring skills installed', printer: authoringInstalledText, output: { ...status, ...report } },
  { about: 'no authoring skills', printer: authoringListText, output: { ...authoring, skills: [], count: 0 } },
  { about: 'authoring skills', printer: authoringListText, output: authoring },
  { about: 'where authoring skills are', printer: authoringStatusText, output: status },
  {
    about: 'a newer version',
    printer: upgradeText,
    output: {
      ok: true,
      state: 'newer',
      current: '0.1.0',
      available: '0.2.0',
      message: 'npm has a newer version.',
      command: 'npm install -g svc',
    },
  },
  {
    about: 'a version that is not published',
    printer: upgradeText,
    output: {
      ok: true,
      state: 'not-published',
      current: '0.1.0',
      available: null,
      message: 'npm has no such package.',
    },
  },
]
