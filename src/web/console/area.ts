// An area of the console.
import type { ComponentType } from 'preact'
import type { Role } from '#contract/console/staff.ts'

export interface AreaProps {
  /** The path after the area: an identifier, a part of it. */
  rest: string[]
}

export interface Area {
  id: string
  name: string
  /** A path of 20 × 20, drawn with a line. */
  icon: string
  /** Pressed after `g`, it leads here. */
  key: string
  /** The roles that see it; all when absent. */
  roles?: Role[]
  /** A tenant's roles, if they are fewer. */
  rolesOfTenant?: Role[]
  load(): Promise<ComponentType<AreaProps>>
}
