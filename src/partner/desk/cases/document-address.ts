// Where a file of a case is downloaded; `/view` behind it is its page, `/inline` what the page shows.

export const addressOf = (caseRef: string, documentId: string): string =>
  `/desk/cases/${encodeURIComponent(caseRef)}/documents/${documentId}`
