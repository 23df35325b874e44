// jQuery 2.2.4, which the service loads before every snippet. In the head, it finds no module and defines its globals.
import "../vendor/jquery-2.2.4.min.js";
