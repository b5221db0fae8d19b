/** Defects of steps that the host performs over the link. */
import type { Planted } from './planted.ts'

export const PLANTED_IN_HOST_STEPS: readonly Planted[] = [
  {
    law: 1,
    name: 'a step of the host is repeated when its answer is lost',
    file: 'src/device/operators/perform-over-link.ts',
    from: '    const outcome = await perform({ link, deadline })',
    to: `    const outcome = await perform({ link, deadline }).catch(async (error: unknown) => {
      const other = await session.link(control.preparing()).catch(() => undefined)
      if (!other || other === link) throw error
      return perform({ link: other, deadline })
    })`,
    seed: 1,
  },
  {
    law: 1,
    name: 'a resumption repeats command lines and transfers',
    file: 'src/contracts/actions/cards.ts',
    from: "cardOf(type)?.repeat === 'safe'",
    to: "cardOf(type)?.repeat === 'safe' || ['push_file', 'shell'].includes(type)",
    seed: 120,
  },
  {
    law: 2,
    name: 'a step of the host without an answer is told as undone',
    file: 'src/device/operators/perform-over-link.ts',
    from: '  return lossOf(error)\n',
    to: "  return { kind: 'not sent', code: 'DEVICE_LINK_LOST', message: 'The link was lost' }\n",
    seed: 1,
  },
  {
    law: 2,
    name: 'a command line that the link lost counts as done',
    file: 'src/device/operators/shell/caller-command.ts',
    from: '    if (!wasLeft(error)) throw error',
    to: "    if (!wasLeft(error)) return { stdout: '', stderr: '', exit_code: '0' }",
    seed: 120,
  },
  {
    law: 3,
    name: 'a file is put in its place before it is compared',
    file: 'src/device/files/push-files.ts',
    from: '    await compare(sending, digests)\n    mayAct()\n    course.isChanging = true\n    await putInPlace(sending, target, there !== undefined)',
    to: '    mayAct()\n    course.isChanging = true\n    await putInPlace(sending, target, there !== undefined)\n    await compare({ ...sending, draft: target }, digests)',
    seed: 1,
  },
  {
    law: 7,
    name: 'what a setting was is not remembered',
    file: 'src/device/settings/change-setting.ts',
    from: '  await keep(target)\n',
    to: '',
    seed: 1,
  },
  {
    law: 7,
    name: 'what a setting was is remembered once it is changed',
    file: 'src/device/settings/change-setting.ts',
    from: '  await keep(target)\n  try {\n    await setting.write(target, scope)',
    to: '  try {\n    await setting.write(target, scope)\n    await keep(target)',
    seed: 1,
  },
  {
    law: 7,
    name: 'a change is over before it is put back',
    file: 'src/device/settings/restore-settings.ts',
    from: '      const outcome = await putBack(change, restorable)\n',
    to: "      await openChanges?.settled(change, 'restored')\n      const outcome = await putBack(change, restorable)\n",
    seed: 90,
  },
  {
    law: 7,
    name: 'a second change forgets what was there before the first',
    file: 'src/device/settings/changes/ledger.ts',
    from: '{ ...next, previous: last.previous }]',
    to: 'next]',
    seed: 1,
  },
  {
    law: 8,
    name: 'a transfer leaves its draft',
    file: 'src/device/files/push-files.ts',
    from: '`mv -f ${',
    to: '`cp ${',
    seed: 1,
  },
]
