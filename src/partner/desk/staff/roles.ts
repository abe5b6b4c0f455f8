// Who may do what at the desk: by the table of acts.

import { type Role, roles } from '#partner/desk-person.ts'
import { type Act, acts } from './staff-act.ts'

export const mayDo = (act: Act): readonly Role[] => acts[act][1]

/** Whether somebody may do it in one of their roles. */
export const can = ({ roles: had }: { roles: readonly Role[] }, act: Act): boolean =>
  mayDo(act).some((role) => had.includes(role))

export const isRole = (text: string): text is Role => roles.some((role) => role === text)
