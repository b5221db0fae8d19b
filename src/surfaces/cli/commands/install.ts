/** `svc install`, its parts, `svc uninstall` and `svc upgrade check`: the commands as data. */
import type { Command, CommandResult, Flag } from '../command.ts'

const DRY_RUN: Flag = { name: 'dry-run', summary: 'print what would be done, and do nothing' }

const REPORT =
  'The lists wrote, updated, removed, unchanged, skipped and refused name each place, skipped and refused with a reason.'

const installing = () => import('../install/run.ts')

const install: Command = {
  path: ['install'],
  text: async () => (await installing()).installedText,
  summary: 'set svc up for this user: skills workspace, authoring skills, host setup',
  details:
    'Runs svc skills install, svc authoring-skills install and svc host setup. Downloads nothing. What is not from svc, and\n' +
    'text of ours that somebody changed, is left alone. Running it again changes nothing. Prints {ok, version, wrote, ...,\n' +
    `message, next}.\n${REPORT}`,
  flags: [DRY_RUN],
  examples: ['svc install --dry-run --output pretty', 'svc install'],
  run: async (call): Promise<CommandResult> => (await installing()).install(call),
}

const uninstall: Command = {
  path: ['uninstall'],
  text: async () => (await installing()).installedText,
  summary: 'remove what svc install and svc completion --install wrote',
  details:
    'Removes the authoring skills, the guide, the block in ~/.agents/AGENTS.md, completion scripts, and folders that were\n' +
    'made for them and are empty. Keeps your skills, the journal, and text of ours that somebody changed. The package\n' +
    `itself goes with npm uninstall -g svc; end its daemons with svc daemon stop first.\n${REPORT}`,
  flags: [DRY_RUN],
  examples: ['svc uninstall --dry-run', 'svc uninstall'],
  run: async (call): Promise<CommandResult> => (await installing()).uninstall(call),
}

const STORE =
  'The store is ~/.svc/bundled-skills. ~/.claude/skills and $CODEX_HOME/skills (~/.codex/skills) get links into it,'

const authoringInstall: Command = {
  path: ['authoring-skills', 'install'],
  text: async () => (await installing()).authoringInstalledText,
  summary: 'install the skills that teach agents to use svc and to write skills',
  details:
    `${STORE}\n` +
    '~/.agents/skills gets copies; where one of the others is the same folder on the disk, its agents use the copies. Fails\n' +
    'with AUTHORING_SKILLS_CONFLICT, before anything is written, if something that is not from svc is in the way.\n' +
    'Prints {skills, count, installedDir, hosts, message, wrote, ...}.',
  flags: [DRY_RUN],
  examples: ['svc authoring-skills install --dry-run', 'svc authoring-skills install'],
  run: async (call): Promise<CommandResult> => (await installing()).installAuthoring(call),
}

const authoringUpdate: Command = {
  path: ['authoring-skills', 'update'],
  text: async () => (await installing()).authoringInstalledText,
  summary: 'bring installed authoring skills to the version of this svc',
  details:
    'Like install, but only in folders that have authoring skills already. Fails with AUTHORING_SKILLS_NOT_INSTALLED if\n' +
    'there are none. Prints the same as install.',
  flags: [DRY_RUN],
  examples: ['svc authoring-skills update'],
  run: async (call): Promise<CommandResult> => (await installing()).updateAuthoring(call),
}

const authoringList: Command = {
  path: ['authoring-skills', 'list'],
  text: async () => (await installing()).authoringListText,
  summary: 'list the installed authoring skills',
  details: 'Prints {skills: [{name, skillPath}], count, installedDir}.',
  examples: ['svc authoring-skills list'],
  run: async (call): Promise<CommandResult> => (await installing()).listInstalledAuthoring(call),
}

const authoringStatus: Command = {
  path: ['authoring-skills', 'status'],
  text: async () => (await installing()).authoringStatusText,
  summary: 'show where the authoring skills are installed, and whether they are current',
  details:
    'Prints {skills, count, installedDir, hosts: [{host, dir, representation, state}]}; representation is symlink or copy,\n' +
    'state is ok, missing, stale (another version, or changed by somebody) or conflict.',
  examples: ['svc authoring-skills status --output pretty'],
  run: async (call): Promise<CommandResult> => (await installing()).showAuthoringStatus(call),
}

const hostSetup: Command = {
  path: ['host', 'setup'],
  text: async () => (await installing()).installedText,
  summary: 'write the guide for agents, and point the AGENTS file that they share to it',
  details:
    'The guide is ~/.svc/AGENTS.md; it lists the skills of the registry. If ~/.agents/AGENTS.md is there, it gets one\n' +
    `marked block, and the rest of it stays as it is. Prints {ok, version, wrote, ..., message}.\n${REPORT}`,
  flags: [DRY_RUN],
  examples: ['svc host setup --dry-run', 'svc host setup'],
  run: async (call): Promise<CommandResult> => (await installing()).hostSetup(call),
}

const upgradeCheck: Command = {
  path: ['upgrade', 'check'],
  text: async () => (await installing()).upgradeText,
  summary: 'compare this version with the one that npm would install',
  details:
    'Asks the npm on the PATH, with its own settings: the only command of svc that asks a registry, and only when it is\n' +
    'called. Prints {ok, state, current, available, message, command?}; state is current, newer, older, not-published, or\n' +
    'another-package if the package of that name in the registry is not this one.',
  examples: ['svc upgrade check'],
  run: async (call): Promise<CommandResult> => (await installing()).checkForUpgrade(call),
}

export const INSTALL: readonly Command[] = [
  install,
  uninstall,
  authoringInstall,
  authoringUpdate,
  authoringList,
  authoringStatus,
  hostSetup,
  upgradeCheck,
]
