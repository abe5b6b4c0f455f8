// What an area of the console is.
import type { ComponentType } from 'preact'
import type { Role } from '#contract/console/staff.ts'

export interface AreaProps {
  /** What follows the area in the path: an identifier, a part of it. */
  rest: string[]
}

export interface Area {
  id: string
  name: string
  /** A path of 20 × 20, drawn with a line. */
  icon: string
  /** Pressed after `g`, it leads here. */
  key: string
  /** Who sees it; everybody when it is left out. */
  roles?: Role[]
  /** Of a tenant's people, where those are fewer. */
  rolesOfTenant?: Role[]
  load(): Promise<ComponentType<AreaProps>>
}
