/** This host in a fleet: joining it, being a member, being cut off, leaving. */

import { strays } from '../port.ts'
import { because } from '../rows.ts'
import { inputOf, membershipSetup } from './membership-setup.ts'

export const membership = membershipSetup.createMachine({
  id: 'membership',
  description: 'This host in a fleet: joining it, being a member, being cut off, leaving.',
  context: { fleet: '', host: '', instance: '', allowsUnsafe: false, epoch: 0, isDraining: false },
  initial: 'outside',
  on: strays(
    [
      'join.requested',
      'fleet.unreachable',
      'fleet.unauthorized',
      'servers.reached',
      'servers.judged',
      'host.claimed',
      'host.taken',
      'lease.lapsed',
      'drain.requested',
      'work.ended',
      'leave.requested',
      'fleet.left',
      'request.interrupted',
      'port.failed',
    ],
    'the host is past the point this event speaks of',
  ),
  states: {
    outside: {
      description: 'The host is in no fleet.',
      on: {
        'join.requested': {
          target: 'inside.joining',
          actions: ['reset', 'take'],
          meta: because('the servers are looked for first'),
        },
      },
    },
    inside: {
      description: 'This process is the host of that id, or is about to be.',
      tags: ['in-flight'],
      initial: 'joining',
      on: {
        'leave.requested': { target: 'leaving', meta: because('phones are given back before the host goes') },
        'host.taken': {
          target: 'outside',
          actions: 'refuseTaken',
          meta: because('two live hosts of one id: the second one is refused'),
        },
        'request.interrupted': {
          target: 'outside',
          actions: 'end',
          meta: because('the process died: its lease lapses by itself'),
        },
        'port.failed': {
          target: 'leaving',
          actions: 'refuseBroken',
          meta: because('a driver that fails ends in an answer'),
        },
      },
      states: {
        joining: {
          description: 'The servers are looked for, as long as it takes.',
          invoke: { id: 'connect', src: 'connect', input: inputOf },
          on: {
            'servers.reached': {
              target: 'judging',
              meta: because('unsafe servers are refused before anything is claimed'),
            },
            'fleet.unreachable': {
              actions: 'wait',
              meta: because('local callers are served meanwhile; reconnecting never ends'),
            },
            'fleet.unauthorized': {
              target: '#membership.outside',
              actions: 'refuseUnauthorized',
              meta: because('waiting does not cure wrong credentials'),
            },
          },
        },
        judging: {
          description: 'Their settings are looked at.',
          invoke: { id: 'judge', src: 'judge', input: inputOf },
          on: {
            'servers.judged': [
              { guard: 'isUsable', target: 'claiming', meta: because('they are safe, or the user said they will do') },
              {
                target: '#membership.outside',
                actions: 'refuseUnsafe',
                meta: because('FLEET_UNSAFE: the start is refused'),
              },
            ],
            'lease.lapsed': { target: 'joining', meta: because('the link was lost while they were looked at') },
          },
        },
        claiming: {
          description: 'The id of the host is claimed by a compare-and-set write.',
          invoke: { id: 'claim', src: 'claim', input: inputOf },
          on: {
            'host.claimed': [
              {
                guard: 'isDraining',
                target: 'draining',
                actions: ['own', 'join'],
                meta: because('a drain outlives a lost link'),
              },
              { target: 'serving', actions: ['own', 'join'], meta: because('the write decides, not a read') },
            ],
            'drain.requested': { actions: 'stopTaking', meta: because('a host that is cut off drains, too') },
          },
        },
        serving: {
          description: 'A member: it takes requests of the fleet for the phones it owns.',
          invoke: { id: 'keep', src: 'keep', input: inputOf },
          on: {
            'lease.lapsed': {
              target: 'claiming',
              meta: because('cut off: local callers only, until it is proven again'),
            },
            'drain.requested': {
              target: 'draining',
              actions: 'stopTaking',
              meta: because('what runs is finished, nothing new is taken'),
            },
          },
        },
        draining: {
          description: 'It takes nothing new, and finishes what runs.',
          invoke: [
            { id: 'keep', src: 'keep', input: inputOf },
            { id: 'finish', src: 'finish', input: inputOf },
          ],
          on: {
            'work.ended': {
              target: 'drained',
              actions: 'drained',
              meta: because('its phones are free for other hosts'),
            },
            'lease.lapsed': { target: 'claiming', meta: because('cut off while it drained') },
          },
        },
        drained: {
          description: 'It has finished, and takes nothing more until it is started anew.',
          invoke: { id: 'keep', src: 'keep', input: inputOf },
          on: { 'lease.lapsed': { target: 'claiming', meta: because('cut off: the id is claimed anew') } },
        },
      },
    },
    leaving: {
      description: 'What it owns is given back.',
      tags: ['in-flight'],
      invoke: { id: 'release', src: 'release', input: inputOf },
      on: {
        'fleet.left': {
          target: 'outside',
          actions: 'end',
          meta: because('the others need not wait for the lease to lapse'),
        },
        'request.interrupted': {
          target: 'outside',
          actions: 'end',
          meta: because('the process died: its lease lapses'),
        },
        'port.failed': { target: 'outside', actions: 'end', meta: because('what was not given back lapses') },
      },
    },
  },
})
