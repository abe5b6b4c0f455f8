// The address that downloads a case file; `/view` below it is the page of the file, `/inline` the file in that page.

import { withPlace } from '#partner/desk/arrears/worklist.ts'

export const documentAddress = (caseRef: string, documentId: string): string =>
  `/desk/cases/${encodeURIComponent(caseRef)}/documents/${documentId}`

export const filePageAddress = (caseRef: string, documentId: string, place: string | undefined): string =>
  withPlace(`${documentAddress(caseRef, documentId)}/view`, place)
