// The address of a case file: the download; with `/view` its page; with `/inline` the file inside that page.

export const addressOf = (caseRef: string, documentId: string): string =>
  `/desk/cases/${encodeURIComponent(caseRef)}/documents/${documentId}`
