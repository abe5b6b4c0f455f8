// The address that downloads a case file; `/view` below it is the page of the file, `/inline` the file in that page.

export const addressOf = (caseRef: string, documentId: string): string =>
  `/desk/cases/${encodeURIComponent(caseRef)}/documents/${documentId}`
