/** Actions on the files of a device: push_file, pull_file, remove_file, add_media. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { nonBlank, visibleText } from '../json/scalars.ts'
import { HOST_PATH_CHARS_MAX } from '../limits/file-limits.ts'
import { DEVICE_PATH_BYTES_MAX, MEDIA_PATHS } from '../limits/transfer-limits.ts'
import { action } from './shape.ts'

/** A path of the device: absolute, or from the folder of the application that is named. A slash at its end means a folder. */
const devicePath = v.pipe(nonBlank, v.maxLength(DEVICE_PATH_BYTES_MAX))

const applicationId = v.exactOptional(nonBlank)

const isComplete = (key: 'from' | 'to' | 'path') => (params: Readonly<Record<string, unknown>>) =>
  params.applicationId !== undefined || String(params[key]).startsWith('/')

const NOT_ABSOLUTE = 'must begin with /, unless applicationId names the application in whose folder it begins'

/** JSON Schema for that rule. */
const absoluteOrOfApp = (key: 'from' | 'to' | 'path') => ({
  anyOf: [{ required: ['applicationId'] }, { properties: { [key]: { type: 'string' as const, pattern: '^/' } } }],
})

export const FILE_ACTIONS = [
  action(
    'push_file',
    v.pipe(
      closedObject({
        /** A file or folder of the host. */
        from: nonBlank,
        to: devicePath,
        applicationId,
        overwrite: v.exactOptional(v.boolean(), true),
      }),
      v.forward(v.partialCheck([['to'], ['applicationId']], isComplete('to'), NOT_ABSOLUTE), ['to']),
      v.metadata(absoluteOrOfApp('to')),
    ),
  ),
  action(
    'pull_file',
    v.pipe(
      closedObject({
        from: devicePath,
        /** A file or folder of the host. */
        to: nonBlank,
        applicationId,
        overwrite: v.exactOptional(v.boolean(), false),
      }),
      v.forward(v.partialCheck([['from'], ['applicationId']], isComplete('from'), NOT_ABSOLUTE), ['from']),
      v.metadata(absoluteOrOfApp('from')),
    ),
  ),
  action(
    'remove_file',
    v.pipe(
      closedObject({ path: devicePath, applicationId, recursive: v.exactOptional(v.boolean(), false) }),
      v.forward(v.partialCheck([['path'], ['applicationId']], isComplete('path'), NOT_ABSOLUTE), ['path']),
      v.metadata(absoluteOrOfApp('path')),
    ),
  ),
  /** Pictures and videos of the host, which come to the gallery of the device. */
  action(
    'add_media',
    closedObject({
      paths: v.pipe(
        v.array(visibleText(HOST_PATH_CHARS_MAX)),
        v.minLength(MEDIA_PATHS.min),
        v.maxLength(MEDIA_PATHS.max),
      ),
    }),
  ),
] as const
