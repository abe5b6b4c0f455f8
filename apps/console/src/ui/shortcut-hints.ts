// State of the list of shortcuts, and whether to show keyboard hints.
import { signal } from '@preact/signals'

export const isHelpOpen = signal(false)

/** Whether the device has a mouse and therefore probably a keyboard, and room for hints. */
export const hasKeys = (): boolean => matchMedia('(hover: hover) and (pointer: fine) and (min-width: 600px)').matches
