// SPDX-License-Identifier: Apache-2.0
// Stands before a large table. The browser has to wait for it, and paints what is above meanwhile; the
// table then comes in the shape that it keeps with scripts.
document.documentElement.classList.add('js');
