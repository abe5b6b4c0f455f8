// What the page runs on, set once at the start: components and later screens reach it here.
import type { ComponentType } from 'preact'
import type { Screen } from '#contract/hosted/embed.ts'
import type { Boot } from './boot.ts'
import type { Host } from './bridge.ts'
import type { Memory } from './memory.ts'
import type { Session } from './session.ts'

export interface Here {
  session: Session
  host: Host
  memory: Memory
  boot: Boot
  /** Opens a blank window inside the tap, before it is known where it goes; null when the browser refuses. */
  openWindow(): Window | null
  /** The screens after an offer is chosen, once their chunk has run. */
  chosen?: Partial<Record<Screen, ComponentType>>
}

export const here = {} as Here
