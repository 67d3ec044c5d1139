// Where the person comes back to after having agreed at a tool server: hands what stands in the address to the app's
// tabs, which know what they asked for, and takes it out of the address and the history.
const channel = new BroadcastChannel('vitrine.sign-in');
channel.postMessage(location.search);
channel.close();
history.replaceState(null, '', location.pathname);
