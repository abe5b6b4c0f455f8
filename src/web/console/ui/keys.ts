// Keyboard hints, and the list of all shortcuts.
import { signal } from '@preact/signals'

/** Whether the list of shortcuts is shown. */
export const isHelpOpen = signal(false)

/** A mouse implies a keyboard; on a phone shortcuts are hidden. */
export const hasKeys = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches
