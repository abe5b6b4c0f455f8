// The definition of an area of the console.

import type { Role } from '@lendloom/wire/console/staff'
import type { ComponentType } from 'preact'

export interface AreaProps {
  /** The path segments after the area. */
  rest: string[]
}

export interface Area {
  id: string
  name: string
  /** The path of its icon. */
  icon: string
  /** Pressing `g` and then this key opens the area. */
  key: string
  roles?: Role[]
  /** The roles of tenant users that see the area; `roles` if absent. */
  rolesOfTenant?: Role[]
  load(): Promise<ComponentType<AreaProps>>
}
