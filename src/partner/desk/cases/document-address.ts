// The download address of a case file; with `/view` its page, with `/inline` the page's content.

export const addressOf = (caseRef: string, documentId: string): string =>
  `/desk/cases/${encodeURIComponent(caseRef)}/documents/${documentId}`
