// Closes the window that was opened for this page, where the browser allows it; the page says the same in words.
setTimeout(() => window.close(), 1500)
