"""The one question of the web: perform this step on the page in view; what is there then?"""
