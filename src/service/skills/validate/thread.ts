/** The thread in which pieces of `svc skills validate --all` are finished; a bundle of its own. */
export { checkSkills } from './check-skill.ts'
