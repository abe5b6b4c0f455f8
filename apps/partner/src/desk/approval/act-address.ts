// The address of a page of a case that shows the form of an act.

import { withPlace } from '#partner/desk/arrears/worklist.ts'

/** The id of the form that the person chose. */
export const actId = 'act'

export const actAddress = (page: string, place: string | undefined, act: string): string =>
  `${withPlace(`${page}?act=${act}`, place)}#${actId}`
