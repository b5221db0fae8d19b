/** Limits of set_permission, and of what open_app hands to the activity that it starts. */

/** Android cuts no name of a permission, a package or a class; none that is in use is longer. */
export const PERMISSION_NAME_CHARS_MAX = 255
export const ACTIVITY_CHARS_MAX = 255
export const PERMISSIONS_MAX = 50
export const ARGUMENTS_MAX = 50
export const ARGUMENT_NAME_CHARS_MAX = 200
/** All names and values together: quoted for the shell of the device they still fit into one command line of any link. */
export const ARGUMENTS_CHARS_MAX = 8_192
