// Hints about keys, and the list of all of them: for whoever sits at a keyboard.
import { signal } from '@preact/signals'

/** Whether the list of shortcuts is shown. */
export const isHelpOpen = signal(false)

/** Where there is a mouse there is a keyboard; on a phone nobody presses `/`. */
export const hasKeys = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches
