/** Agent-driven skills for tests: a thin harness, and a shell script that is found on the PATH as the agent CLI `codex`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenPty } from '../../../src/service/skills/run/pty.ts'
import { plainEnv } from '../run-program.ts'
import { type createSkillLab, frameOf, type LabRun, MARKER, type NewSkill } from './skill-lab.ts'

/** A thin harness: everything it knows comes from the environment. */
export const HARNESS = `
  const { spawn } = require('node:child_process')
  const { SVC_SKILL_AGENT_CLI_PATH, SVC_SKILL_PROGRAM } = process.env
  spawn(SVC_SKILL_AGENT_CLI_PATH, [SVC_SKILL_PROGRAM, ...process.argv.slice(2)], { stdio: 'inherit' })
    .on('exit', code => process.exit(code ?? 1))
`

export const AGENT_FRAME = `cat <<'FRAME'\n${MARKER}\n${JSON.stringify(frameOf())}\nFRAME`

interface AgentSkill {
  agent?: Record<string, unknown> | undefined
  files?: NewSkill['files'] | undefined
}

export interface AgentRun extends LabRun, AgentSkill {
  env?: Record<string, string>
  openPty?: OpenPty
}

export const AGENT = { agent: { cli: 'codex' } }

type SkillLab = ReturnType<typeof createSkillLab>

/** A skill whose agent CLI is that shell script; returns the folder that has to be on the PATH. */
export const addAgent = (skills: SkillLab, codex: string, { agent, files }: AgentSkill = {}) => {
  const bin = join(skills.root, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of ['codex', 'other-cli']) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${codex}\n`, { mode: 0o755 })
  }
  skills.add({
    files: { 'scripts/run.js': HARNESS, ...files },
    scripts: ['scripts/run.js'],
    skillJson: { agent: { ...AGENT.agent, ...agent } },
  })
  return bin
}

/** The world in which that CLI is found. */
export const agentWorld = (skills: SkillLab, env: Record<string, string> = {}) => {
  const inherited = plainEnv()
  return { env: { ...inherited, PATH: `${join(skills.root, 'bin')}:${inherited.PATH}`, ...env } }
}

export const agentRun = (skills: SkillLab, codex: string, { agent, files, env, openPty, ...more }: AgentRun = {}) => {
  addAgent(skills, codex, { agent, files })
  return skills.run({ world: agentWorld(skills, env), ...(openPty ? { system: { openPty } } : {}), ...more })
}
