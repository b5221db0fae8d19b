/** The keys of press_key: Android's names without KEYCODE_, and the short names of the first five. */
import { KEYS } from '../json/literals.ts'

/** Keys that Android 8 knows stand before later ones; a device refuses a key that it does not have. */
const ANDROID_NAMES = `
  soft_left soft_right home back call endcall 0 1 2 3 4 5 6 7 8 9 star pound dpad_up dpad_down dpad_left dpad_right
  dpad_center volume_up volume_down power camera clear a b c d e f g h i j k l m n o p q r s t u v w x y z comma
  period alt_left alt_right shift_left shift_right tab space sym explorer envelope enter del grave minus equals
  left_bracket right_bracket backslash semicolon apostrophe slash at num headsethook focus plus menu notification
  search media_play_pause media_stop media_next media_previous media_rewind media_fast_forward mute page_up page_down
  pictsymbols switch_charset button_a button_b button_c button_x button_y button_z button_l1 button_r1 button_l2
  button_r2 button_thumbl button_thumbr button_start button_select button_mode escape forward_del ctrl_left ctrl_right
  caps_lock scroll_lock meta_left meta_right function sysrq break move_home move_end insert forward media_play
  media_pause media_close media_eject media_record f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 num_lock numpad_0 numpad_1
  numpad_2 numpad_3 numpad_4 numpad_5 numpad_6 numpad_7 numpad_8 numpad_9 numpad_divide numpad_multiply
  numpad_subtract numpad_add numpad_dot numpad_comma numpad_enter numpad_equals numpad_left_paren numpad_right_paren
  volume_mute info channel_up channel_down zoom_in zoom_out tv window guide dvr bookmark captions settings tv_power
  tv_input stb_power stb_input avr_power avr_input prog_red prog_green prog_yellow prog_blue app_switch
  language_switch manner_mode 3d_mode contacts calendar music calculator assist brightness_down brightness_up
  media_audio_track sleep wakeup pairing media_top_menu 11 12 last_channel voice_assist help navigate_previous
  navigate_next navigate_in navigate_out stem_primary stem_1 stem_2 stem_3 dpad_up_left dpad_down_left dpad_up_right
  dpad_down_right media_skip_forward media_skip_backward media_step_forward media_step_backward soft_sleep cut copy
  paste system_navigation_up system_navigation_down system_navigation_left system_navigation_right all_apps refresh
  thumbs_up thumbs_down profile_switch tv_input_hdmi_1 tv_input_hdmi_2 tv_input_hdmi_3 tv_input_hdmi_4
`
  .trim()
  .split(/\s+/)

/** In lower case, as `key` is kept. */
export const KEY_NAMES: readonly string[] = [...new Set([...KEYS, ...ANDROID_NAMES])]

const KNOWN: ReadonlySet<string> = new Set(KEY_NAMES)

export const isKeyName = (name: string): boolean => KNOWN.has(name)

/** Blanks and dashes are underscores: `Volume up` and `VOLUME-UP` are one key. */
export const keyNameOf = (written: string): string => written.toLowerCase().replace(/[_\s-]+/g, '_')

/** JSON Schema has no case-insensitive match. */
export const KEY_PATTERN = `^(?:${KEY_NAMES.map(name =>
  name.replace(/[a-z_]/g, c => (c === '_' ? '[_\\s-]+' : `[${c.toUpperCase()}${c}]`)),
).join('|')})$`
